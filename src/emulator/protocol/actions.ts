/** The link of an action in a widget. */
export interface ActionLink {
  readonly url: string
}

/** What the page of an action says. */
export interface ActionState {
  /**
   * The outcome of the page, such as `shown` or `already_done`. Null if it is not
   * on this machine, or does not say.
   */
  readonly outcome: string | null
}
