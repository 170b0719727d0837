import { isSidecardError, SidecardError } from '../internal/errors.ts'

/**
 * The error that `run` throws if it did nothing, with the reason. The agent sees
 * its message, and can try again.
 *
 * @see docs/guides/actions.md#failures
 * @example throw new ActionError('The trial was already extended twice.')
 */
export class ActionError extends SidecardError {
  override readonly name = 'ActionError'

  constructor(message: string, options?: ErrorOptions) {
    super('action_refused', message, options)
  }
}

/** Returns whether a value is an {@link ActionError}, even of another copy of the package. */
export function isActionError(error: unknown): error is ActionError {
  return isSidecardError(error) && error.code === 'action_refused'
}
