import type { PageState } from '../../project/schema.ts'

/** The link of an action in a widget. */
export interface ActionLink {
  readonly url: string
}

/** The page of an action in a state of the project. */
export interface ActionPageView {
  /** The label of the action's button. */
  readonly label: string
  readonly state: PageState
  /** The path of the page in the emulator; null if the app sent none. */
  readonly path: string | null
  /** Why the page does not show the state; null if it does. */
  readonly unapplied: string | null
}

/** A request to the page of an action, as the app logs it during development. */
export interface ActionRequestView {
  /** The name of the action; empty for a link that is invalid. */
  readonly name: string
  /** `POST` for a confirmation. */
  readonly method: 'GET' | 'POST'
  /** The ID of the agent; null if nobody was signed in. */
  readonly agent: string | null
}

/** The content of the page of an action. */
export interface ActionState {
  /**
   * The outcome of the page, such as `shown` or `already_done`. Null if the page is
   * not on this machine, or does not report one.
   */
  readonly outcome: string | null
}
