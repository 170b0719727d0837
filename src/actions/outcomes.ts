import type { LogLevel } from '../internal/logger.ts'
import type { ActionMessages } from './messages.ts'
import type { PageOutcome, PageView } from './page-view.ts'

interface Outcome {
  readonly status: number
  readonly tone: 'good' | 'caution' | 'bad' | 'plain'
  readonly level: LogLevel
  /** The messages of the heading and of the text. */
  readonly heading: TextName
  readonly text?: TextName
  /** Whether the agent needs the trace ID. */
  readonly showsTraceId?: true
}

type TextName = {
  [Name in keyof ActionMessages]: ActionMessages[Name] extends string ? Name : never
}[keyof ActionMessages]

/** What each outcome of a request to the page looks like, unless the page says otherwise. */
export const OUTCOMES: Readonly<Record<PageOutcome, Outcome>> = {
  shown: { status: 200, tone: 'plain', level: 'info', heading: 'confirm' },
  done: {
    status: 200,
    tone: 'good',
    level: 'info',
    heading: 'done',
    text: 'reload',
    showsTraceId: true,
  },
  already_done: {
    status: 200,
    tone: 'good',
    level: 'info',
    heading: 'alreadyDone',
    text: 'reload',
    showsTraceId: true,
  },
  in_progress: {
    status: 409,
    tone: 'caution',
    level: 'info',
    heading: 'inProgress',
    text: 'inProgressText',
  },
  invalid: { status: 400, tone: 'bad', level: 'warn', heading: 'invalid', text: 'invalidText' },
  refused: { status: 409, tone: 'caution', level: 'warn', heading: 'notDone' },
  expired: { status: 410, tone: 'caution', level: 'warn', heading: 'expired', text: 'expiredText' },
  forbidden: {
    status: 403,
    tone: 'bad',
    level: 'warn',
    heading: 'forbidden',
    text: 'notSignedIn',
  },
  not_found: { status: 404, tone: 'plain', level: 'info', heading: 'unavailable' },
  failed: {
    status: 500,
    tone: 'bad',
    level: 'error',
    heading: 'unavailable',
    text: 'failedText',
    showsTraceId: true,
  },
  unknown: {
    status: 500,
    tone: 'bad',
    level: 'error',
    heading: 'unknown',
    text: 'unknownText',
    showsTraceId: true,
  },
}

/** Creates the page of an outcome. `changes` replace the parts of the table. */
export function createPage(
  { actions: { messages } }: { readonly actions: { readonly messages: ActionMessages } },
  outcome: PageOutcome,
  changes: Partial<PageView> = {},
): PageView {
  const { status, heading, text, showsTraceId } = OUTCOMES[outcome]
  return {
    outcome,
    status,
    heading: messages[heading],
    ...(text !== undefined && { text: messages[text] }),
    showsTraceId,
    ...changes,
  }
}
