import type { LogLevel } from '../internal/logger.ts'
import type { ActionMessages } from './messages.ts'
import type { PageOutcome, PageView } from './page-view.ts'

type TextName = {
  [Name in keyof ActionMessages]: ActionMessages[Name] extends string ? Name : never
}[keyof ActionMessages]

/** `heading` and `text` name messages. The trace ID is for those who look for what happened. */
function outcome(
  status: number,
  tone: 'good' | 'caution' | 'bad' | 'plain',
  level: LogLevel,
  heading: TextName,
  text?: TextName,
  showsTraceId = false,
) {
  return { status, tone, level, heading, text, showsTraceId }
}

/** The status and the texts of each outcome, unless the page says otherwise. */
export const OUTCOMES: Readonly<Record<PageOutcome, ReturnType<typeof outcome>>> = {
  shown: outcome(200, 'plain', 'info', 'confirm'),
  done: outcome(200, 'good', 'info', 'done', 'reload', true),
  already_done: outcome(200, 'good', 'info', 'alreadyDone', 'reload', true),
  in_progress: outcome(409, 'caution', 'info', 'inProgress', 'inProgressText'),
  invalid: outcome(400, 'bad', 'warn', 'invalid', 'invalidText'),
  refused: outcome(409, 'caution', 'warn', 'notDone'),
  expired: outcome(410, 'caution', 'warn', 'expired', 'expiredText'),
  forbidden: outcome(403, 'bad', 'warn', 'forbidden', 'notSignedIn'),
  not_found: outcome(404, 'plain', 'info', 'unavailable'),
  failed: outcome(500, 'bad', 'error', 'unavailable', 'failedText', true),
  unknown: outcome(500, 'bad', 'error', 'unknown', 'unknownText', true),
}

/** Creates the page of an outcome. `changes` replace the parts of the table. */
export function createPage(
  { actions: { messages } }: { readonly actions: { readonly messages: ActionMessages } },
  name: PageOutcome,
  changes: Partial<PageView> = {},
): PageView {
  const { status, heading, text, showsTraceId } = OUTCOMES[name]
  return {
    outcome: name,
    status,
    heading: messages[heading],
    ...(text !== undefined && { text: messages[text] }),
    showsTraceId,
    ...changes,
  }
}
