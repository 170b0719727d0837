import { readProperty } from './hostile-values.ts'

const brand = Symbol.for('sidecard.error')

/**
 * The base class of all errors that Sidecard throws.
 *
 * `code` is stable across releases, for programs. The message is for people and
 * can change. Neither contains a secret or a customer's data.
 *
 * @example
 * try {
 *   await serve(app)
 * } catch (error) {
 *   if (error instanceof SidecardError && error.code === 'port_in_use') process.exitCode = 1
 * }
 *
 * @see docs/errors.md
 */
export class SidecardError extends Error {
  override readonly name: string = 'SidecardError'
  /** The stable code, in `snake_case`. docs/errors.md lists every code. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    // Not enumerable, so that the brand does not appear in logs or JSON.
    Object.defineProperty(this, brand, { value: true })
  }
}

/**
 * Returns whether a value is a Sidecard error, even from another copy of the
 * package, where `instanceof` fails.
 *
 * @example
 * try { await client.users.list() } catch (error) {
 *   if (isSidecardError(error) && error.code === 'api_error') console.warn(error.message)
 * }
 */
export function isSidecardError(error: unknown): error is SidecardError {
  return readProperty(error, brand) === true
}
