import type { ExecutionContext } from 'hono'
import { describeReason } from './describe-reason.ts'

/** The work of a host that outlives its responses, such as audit records and cache entries. */
export class BackgroundWork {
  readonly #tasks = new Set<Promise<void>>()

  /** The execution context of apps: `c.executionCtx` in Hono. */
  readonly executionContext: ExecutionContext = {
    waitUntil: (work) => this.add(work),
    passThroughOnException: () => undefined,
    props: {},
  }

  get size(): number {
    return this.#tasks.size
  }

  /** Adds work. A rejection is only written to standard error. */
  add(work: unknown): void {
    const task = Promise.resolve(work)
      .catch((error: unknown) => {
        process.stderr.write(`sidecard: background work failed: ${describeReason(error)}\n`)
      })
      .then(() => void this.#tasks.delete(task))
    this.#tasks.add(task)
  }

  /** Waits for all work, including work that is added in the meantime. */
  async settle(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks)
  }
}
