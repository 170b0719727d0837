import type { MiddlewareHandler } from 'hono'

/**
 * Wraps middleware so that its mistakes reach the app's error handler: a thrown
 * value that is not an Error, and a call that neither returns a response nor
 * calls `next()`.
 */
export function guardMiddleware(middleware: MiddlewareHandler, index: number): MiddlewareHandler {
  return async (c, next) => {
    let isNextCalled = false
    try {
      const response = await middleware(c, () => {
        isNextCalled = true
        return next()
      })
      if (response !== undefined || isNextCalled || c.finalized) return response
    } catch (error) {
      // Hono's error handler is only called with an `Error`.
      throw error instanceof Error ? error : new ThrownValueError(error)
    }
    throw new TypeError(
      `middleware[${index}] neither returned a response nor called next(). Add "await next()".`,
    )
  }
}

/** Carries a thrown value that is not an Error. */
class ThrownValueError extends Error {
  override readonly name = 'ThrownValueError'

  constructor(value: unknown) {
    super('Middleware threw a value that is not an Error.', { cause: value })
  }
}

/** Returns the value that middleware threw. */
export function thrownValue(error: unknown): unknown {
  return error instanceof ThrownValueError ? error.cause : error
}
