/** The result of {@link withTimeout} if the work took too long. */
export const TIMED_OUT = Symbol('timed out')

/** Waits at most `ms` milliseconds for work that may hang. A later rejection is consumed. */
export async function withTimeout<T>(
  work: T | PromiseLike<T>,
  ms: number,
): Promise<Awaited<T> | typeof TIMED_OUT> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<typeof TIMED_OUT>((resolve) => {
    timer = setTimeout(() => resolve(TIMED_OUT), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
