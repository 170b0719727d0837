import { fileURLToPath } from 'node:url'
import { unstable_startWorker as startWorker } from 'wrangler'
import type { Soak, SoakResult } from './soak.ts'
import { WORKER_DEV } from '../helpers/worker-dev.ts'

/** workerd limits the CPU time of a request. */
const BATCH = 5_000

/** Runs the hostile requests in workerd. */
export const hostileWorkerdSoak: Soak = async ({ count, seed }) => {
  const worker = await startWorker({
    entrypoint: fileURLToPath(new URL('hostile-worker.ts', import.meta.url)),
    compatibilityDate: '2026-09-01',
    dev: WORKER_DEV,
  })
  const totals: Record<string, number> = {}
  const failures: string[] = []
  try {
    for (let done = 0; done < count; done += BATCH) {
      const options = { count: Math.min(BATCH, count - done), seed: seed + done }
      // oxlint-disable-next-line no-await-in-loop -- one batch after another
      const response = await worker.fetch('http://localhost/', {
        method: 'POST',
        body: JSON.stringify(options),
      })
      // oxlint-disable-next-line no-await-in-loop -- one batch after another
      const result = (await response.json()) as SoakResult
      for (const [figure, value] of Object.entries(result.figures)) {
        totals[figure] = (totals[figure] ?? 0) + Number(value)
      }
      failures.push(...result.failures)
    }
  } finally {
    await worker.dispose()
  }
  return { figures: totals, failures: failures.slice(0, 20) }
}
