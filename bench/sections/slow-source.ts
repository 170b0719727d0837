import autocannon from 'autocannon'
import { memoryCache, noAuth, sidecard, text } from 'sidecard'
import { serve } from 'sidecard/node'
import { QUERY } from '../contenders/apps.ts'

const SOURCE_MS = 50
const CONNECTIONS = 500
/** Issues that are opened again and again. */
const ISSUES = 200

/** What a slow source does to 500 agents at once. */
export interface SlowSource {
  readonly cache: 'without' | 'with'
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly callsOfSource: number
  readonly requests: number
}

export async function measureSlowSource(
  cache: SlowSource['cache'],
  seconds: number,
): Promise<SlowSource> {
  let calls = 0
  const app = sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    ...(cache === 'with' && { cache: { ttlSeconds: 60, store: memoryCache() } }),
    async fetchData(ctx) {
      calls += 1
      await new Promise((resolve) => setTimeout(resolve, SOURCE_MS))
      return [text({ label: 'Issue', value: ctx.params.issue_id ?? '' })]
    },
  })
  await using server = await serve(app, { port: 0, handleSignals: false })
  const result = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: Array.from({ length: ISSUES }, (_, index) => ({
      path: `/${QUERY.replace('iss_20931', `iss_${index}`)}`,
    })),
  })
  return {
    cache,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    callsOfSource: calls,
    requests: result.requests.total,
  }
}
