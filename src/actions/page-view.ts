import type { Component } from '../contract/generated/types.ts'
import type { Form } from './fields.ts'

/**
 * The outcome of a request to the page. `shown` is the form; `not_found` stands
 * for every designed card.
 */
export type PageOutcome =
  | 'shown'
  | 'done'
  | 'already_done'
  | 'in_progress'
  | 'invalid'
  | 'refused'
  | 'expired'
  | 'forbidden'
  | 'not_found'
  | 'failed'
  | 'unknown'

/** The form of an action, with what the agent has entered so far. */
export interface FormView {
  readonly fields: Form
  readonly entered: Readonly<Record<string, string>>
  /** The problems of the fields, by name. */
  readonly problems: Readonly<Record<string, string>>
  /** The path to which the form is sent. */
  readonly path: string
  readonly token: string
  readonly formToken: string
}

/** The content of the page. */
export interface PageView {
  readonly outcome: PageOutcome
  readonly status: number
  readonly heading: string
  readonly text?: string | undefined
  /** Whether the agent needs the trace ID. */
  readonly showsTraceId?: boolean | undefined
  readonly components?: readonly Component[] | undefined
  readonly form?: FormView | undefined
  readonly lastDone?: string | undefined
  /** Logged, and never shown. */
  readonly error?: unknown
  /** Logged: names of variables and options. */
  readonly problems?: readonly string[] | undefined
  /** The origins of the sign-in, in addition to that of the page. */
  readonly signInOrigins?: readonly string[] | undefined
}
