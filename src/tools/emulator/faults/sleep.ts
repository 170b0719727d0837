/** A function that waits. Tests replace it, so that faults take no time. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

/** Waits in real time. It resolves early if the signal aborts. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    if (signal?.aborted === true) end()
    else signal?.addEventListener('abort', end)
  })
