/** Runs a task as soon as a slot is free. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Creates a limiter that starts tasks in the given order, at most `concurrency` at a time. */
export function createLimiter(concurrency: number): Limiter {
  const waiting: Array<() => void> = []
  let running = 0
  return async (task) => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The slot passes directly to the next task, so that no other task can take it in between.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
