/** The client's source of time. Tests can replace it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms` milliseconds, or rejects if the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The clock of the runtime. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', abort)
        resolve()
      }, ms)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    }),
}
