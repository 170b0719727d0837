import type { ActionTestSettings } from '../../internal/action-test.ts'
import type { LogLevel } from '../../internal/logger.ts'
import type { Component } from '../../contract/generated/types.ts'
import type { Form } from '../fields/fields.ts'
import type { Keys } from '../links/crypto.ts'
import type { Setup, SetupReader } from '../links/setup.ts'
import type { ActionMessages } from '../messages.ts'
import type { AppRequest, AuthorizedRequest } from '../run/authorized-request.ts'
import type { Denial } from '../run/permission.ts'
import type { AuditPart } from '../run/notify.ts'

/** The app whose actions have a page. */
export type PageApp = Pick<AppRequest, 'app' | 'actions'> & { readonly reader: SetupReader }

/** One request to the page. */
export interface PageRequest extends AppRequest, PageApp {
  readonly test: ActionTestSettings | undefined
  page(this: void, outcome: PageOutcome, changes?: Partial<PageView>): PageView
}

/** A request to a page that is set up. */
export interface ReadyRequest extends PageRequest {
  readonly setup: Setup
  /** The bindings, as the schema returns them. */
  readonly env: unknown
  /** The form that was sent. */
  readonly body: URLSearchParams | undefined
}

/** A request to the page of an action. */
export interface ActionPageRequest extends ReadyRequest, AuthorizedRequest {
  /** The link as it was received, for the form. */
  readonly token: string
  readonly keys: Keys
}

type TextName = {
  [Name in keyof ActionMessages]: ActionMessages[Name] extends string ? Name : never
}[keyof ActionMessages]

/**
 * Creates the look of an outcome. `heading` and `text` name messages. The trace ID
 * helps to find the cause in the log.
 */
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

/**
 * The default look of each outcome of a request to the page. `shown` is the form,
 * and `not_found` stands for every designed card.
 */
export const OUTCOMES = {
  shown: outcome(200, 'plain', 'info', 'review'),
  /** The values of the form, read back before the action runs. */
  review: outcome(200, 'plain', 'info', 'review'),
  done: outcome(200, 'good', 'info', 'done', 'reload', true),
  already_done: outcome(200, 'good', 'info', 'alreadyDone', 'reload', true),
  in_progress: outcome(409, 'caution', 'info', 'inProgress', 'inProgressText'),
  invalid: outcome(400, 'bad', 'warn', 'invalid', 'invalidText'),
  refused: outcome(409, 'caution', 'warn', 'notDone'),
  expired: outcome(410, 'caution', 'warn', 'expired', 'expiredText'),
  /** The response of the sign-in, such as a redirect. There is no page. */
  sign_in: outcome(303, 'plain', 'info', 'signIn'),
  forbidden: outcome(403, 'bad', 'warn', 'forbidden', 'notSignedIn'),
  not_found: outcome(404, 'plain', 'info', 'unavailable'),
  failed: outcome(500, 'bad', 'error', 'unavailable', 'failedText', true),
  unknown: outcome(500, 'bad', 'error', 'unknown', 'unknownText', true),
}

/** The outcome of a request to the page. */
export type PageOutcome = keyof typeof OUTCOMES

/** A form of the page. The button without a name confirms the action. */
export interface FormView {
  /** The path to which the form is sent. */
  readonly path: string
  readonly hidden: ReadonlyArray<readonly [name: string, value: string]>
  readonly fields?: FieldsView | undefined
  /** A sentence above the buttons that state the outcome of a receipt. */
  readonly question?: string | undefined
  readonly buttons: readonly Readonly<
    Partial<Record<'name' | 'value', string>> & { text: string }
  >[]
}

/** The fields of an action, with what the agent has entered so far. */
export interface FieldsView {
  readonly form: Form
  readonly entered: readonly EnteredField[]
  /** The problem of each field, by its name, which can be any string. */
  readonly problems: ReadonlyMap<string, string>
}

/** A field with its entered text: its name, its label, and the text. */
export type EnteredField = readonly [name: string, label: string, text: string]

/** The content of the page. */
export interface PageView {
  readonly outcome: PageOutcome
  /** The state that a developer requested: the page is only an example. */
  readonly state?: string | undefined
  readonly status: number
  readonly heading: string
  readonly text?: string | undefined
  /** Whether the agent needs the trace ID. */
  readonly showsTraceId?: boolean | undefined
  readonly components?: readonly Component[] | undefined
  readonly form?: FormView | undefined
  /** The values that the agent has to confirm, as text. */
  readonly rows?: ReadonlyArray<readonly [label: string, text: string]> | undefined
  /** The sentence that `summary` returned for the values. */
  readonly sentence?: string | undefined
  /** What happened before, above the form, or a warning below a receipt. */
  readonly notice?: string | undefined
  /** The agent and the time, below a receipt. */
  readonly facts?: readonly string[] | undefined
  /** The trace ID of a receipt, instead of that of the request. */
  readonly traceId?: string | undefined
  /** A URL that opens the page again. */
  readonly again?: string | undefined
  /** The entered values, on a page without its form. */
  readonly entered?: readonly EnteredField[] | undefined
  /** A URL to sign in, in a new tab, before the form is sent again. */
  readonly signIn?: string | undefined
  /** For the audit record: what was confirmed. */
  readonly audit?: AuditPart | undefined
  /** This error is logged, and never shown. */
  readonly error?: unknown
  /** Logged: the names of groups that a rule asked for, and those of the denied agent. */
  readonly groups?: Denial['groups']
  /** Logged: names of variables and options. */
  readonly problems?: readonly string[] | undefined
}
