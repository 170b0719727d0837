import { memoryStore, sectionCache } from '../../src/runtime/cache/index.ts'
import { noAuth, section, sidecard, text } from '../../src/index.ts'
import { createFailureList, percentile, type Soak } from './soak.ts'

const MAX_ENTRIES = 2_000
const TENANTS = MAX_ENTRIES * 3
const MEGABYTE = 1_048_576

/** The allowed growth of memory and latency since the first tenth. */
const LIMITS = { heapMB: 5, rssMB: 30, p99Ratio: 1.25 }

/**
 * Sends requests through a full cache. Memory must not grow, and the last
 * requests must be as fast as the first.
 */
export const fullCacheSoak: Soak = async ({ count }) => {
  const found = createFailureList()
  const store = memoryStore({ maxEntries: MAX_ENTRIES })
  const cache = sectionCache({ name: 'accounts', ttlSeconds: 3_600, store })
  const app = sidecard({
    header: { title: 'Soak' },
    auth: noAuth(),
    logger: false,
    fetchData: ({ params }) => {
      const load = () => text({ label: 'Account', value: params.account_id ?? '' })
      return [section('Account', load, { cache, key: [params.account_id] })]
    },
  })
  const tenth = Math.floor(count / 10)
  // Typed arrays of a fixed size, so that the measurement itself does not grow.
  const times = { first: new Float64Array(tenth), last: new Float64Array(tenth) }
  // The cache is full before the measurement starts.
  // oxlint-disable-next-line no-await-in-loop -- one request after another
  for (let done = 0; done < TENANTS; done += 1) await ask(done)
  let early = await measure()
  for (let done = 0; done < count; done += 1) {
    // oxlint-disable-next-line no-await-in-loop -- once
    if (done === tenth) early = await measure()
    const started = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    await ask(done)
    const took = performance.now() - started
    if (done < tenth) times.first[done] = took
    else if (done >= count - tenth) times.last[done - (count - tenth)] = took
  }
  const late = await measure()
  const grown = {
    heapMB: (late.heapUsed - early.heapUsed) / MEGABYTE,
    rssMB: (late.rss - early.rss) / MEGABYTE,
    p99Ratio: percentile(times.last, 0.99) / percentile(times.first, 0.99),
  }
  if (grown.heapMB > LIMITS.heapMB) found.add(`the heap grew by ${grown.heapMB.toFixed(1)} MB`)
  if (grown.rssMB > LIMITS.rssMB) found.add(`the process grew by ${grown.rssMB.toFixed(1)} MB`)
  return {
    figures: {
      requests: count,
      heapGrowthMB: grown.heapMB.toFixed(2),
      rssGrowthMB: grown.rssMB.toFixed(2),
      p99LastToFirst: `${grown.p99Ratio.toFixed(2)} (limit ${LIMITS.p99Ratio})`,
      failures: found.count,
    },
    failures: found.failures,
  }

  async function ask(index: number): Promise<void> {
    // Two thirds of the requests repeat few tenants; the others visit all of them in turn.
    const tenant = index % 3 === 0 ? index % TENANTS : index % (MAX_ENTRIES / 2)
    const path = `/?request_type=fetch_data&organization_id=o&account_id=acc_${tenant}`
    const response = await app.request(path)
    const body = await response.text()
    if (!body.includes(`"acc_${tenant}"`)) found.add(`acc_${tenant} received ${body}`)
  }
}

/** Measures memory after garbage collection. Finalizers run one turn later. */
async function measure(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.()
    // oxlint-disable-next-line no-await-in-loop -- one round after another
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage()
}
