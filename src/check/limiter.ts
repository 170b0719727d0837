/** Runs a task when its turn comes. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Makes a limiter that starts tasks in the order in which they were given, at most `width` at a time. */
export function createLimiter(width: number): Limiter {
  const waiting: Array<() => void> = []
  let running = 0
  return async (task) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The place is handed on, not given back: nobody can push in between.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
