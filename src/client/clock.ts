/** Where the client takes the time from, so that a test can stand in for it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after a while; rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The clock of the runtime. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const giveUp = () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }, ms)
      if (signal.aborted) giveUp()
      else signal.addEventListener('abort', giveUp, { once: true })
    }),
}
