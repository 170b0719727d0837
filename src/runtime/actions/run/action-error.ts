import { isSidecardError, SidecardError } from '../../internal/errors.ts'

/**
 * The error to throw in `run` if nothing was done. The agent sees its message,
 * next to `field` if it is given, and can try again.
 *
 * @see docs/guides/actions.md#failures
 * @example throw new ActionError('Only 12.00 EUR are left.', { field: 'amount' })
 */
export class ActionError extends SidecardError {
  override readonly name = 'ActionError'
  /** The name of the field that the agent can correct. */
  readonly field: string | undefined

  constructor(
    message: string,
    options: ErrorOptions & { readonly field?: string | undefined } = {},
  ) {
    super('action_refused', message, options)
    this.field = options.field
  }
}

/** Returns whether a value is an {@link ActionError}, even of another copy of the package. */
export function isActionError(error: unknown): error is ActionError {
  return isSidecardError(error) && error.code === 'action_refused'
}
