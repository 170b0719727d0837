/** Resolves after a time in milliseconds, or rejects if the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** Waits on the clock of the runtime. */
export const sleep: Sleep = (ms, signal) =>
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
  })
