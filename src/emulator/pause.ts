/** Waits; injected, so that a test with faults takes no time. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>

/** Waits on the real clock. It ends early when the signal aborts. */
export const realPause: Pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    if (signal?.aborted === true) done()
    else signal?.addEventListener('abort', done)
  })
