const brand = Symbol.for('sidecard.error')

/**
 * The one family of errors that Sidecard throws.
 *
 * A `code` is stable across releases and is what a program should read; the
 * message is for people and may change. Neither carries a secret or a
 * customer's data.
 *
 * @see docs/errors.md
 */
export class SidecardError extends Error {
  override readonly name: string = 'SidecardError'
  /** Stable, `snake_case`; every code is listed in docs/errors.md. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    // Not enumerable, so that the brand never shows in logs or JSON.
    Object.defineProperty(this, brand, { value: true })
  }
}

/**
 * Tells whether a value is a Sidecard error, also one from another copy of the
 * package (where `instanceof` is wrong).
 *
 * @example
 * try { await client.users.list() } catch (error) {
 *   if (isSidecardError(error) && error.code === 'api_error') …
 * }
 */
export function isSidecardError(error: unknown): error is SidecardError {
  return (
    typeof error === 'object' && error !== null && (error as { [brand]?: unknown })[brand] === true
  )
}
