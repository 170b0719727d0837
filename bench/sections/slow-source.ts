import autocannon from 'autocannon'
import { QUERY } from '../candidates/apps.ts'
import type { CacheName } from '../candidates/slow-source.ts'
import { startServer } from './server-process.ts'

export const CONNECTIONS = 500
/** How many issues are opened, over and over. */
export const ISSUES = 200

/** What 500 agents get from a slow source. */
export interface SlowSourceResult {
  readonly cache: CacheName
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly requests: number
  readonly sourceCalls: number
  /** CPU time of the server for one request, in microseconds. */
  readonly cpuMicroseconds: number
}

const paths = Array.from(
  { length: ISSUES },
  (_, index) => `/${QUERY.replace('iss_20931', `iss_${index}`)}`,
)

/** Agents open issues independently: in a fixed order, all connections would ask for the same one. */
function createIssuePicker(): () => number {
  let state = 1
  return () => {
    // A linear congruential generator with the constants of Numerical Recipes: every run is the same.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * ISSUES)
  }
}

/** Loads the app with the slow source from this process. */
export async function measureSlowSource(
  cache: CacheName,
  seconds: number,
): Promise<SlowSourceResult> {
  const nextIssue = createIssuePicker()
  const server = await startServer('slow-server.ts', [cache])
  try {
    const before = await server.usage()
    const result = await autocannon({
      url: server.url,
      connections: CONNECTIONS,
      duration: seconds,
      // A busy Node process accepts few new connections, also with a plain node:http server. Some of
      // 500 that connect at once can wait longer than the 10 seconds that autocannon allows.
      timeout: 2 * seconds,
      requests: [{ setupRequest: (request) => ({ ...request, path: paths[nextIssue()] }) }],
    })
    if (result.non2xx > 0 || result.errors > 0) {
      throw new Error(`${result.non2xx} responses other than 2xx, ${result.errors} errors`)
    }
    const after = await server.usage()
    const requests = result.requests.total
    return {
      cache,
      requestsPerSecond: requests / result.duration,
      p50Ms: result.latency.p50,
      p99Ms: result.latency.p99,
      requests,
      sourceCalls: after.sourceCalls,
      cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / requests,
    }
  } finally {
    server.close()
  }
}
