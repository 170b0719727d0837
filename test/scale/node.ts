import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, SECRET, startCluster } from './cluster.ts'
import { type LoadResult, startLoad } from './load.ts'
import { findPrograms } from './programs.ts'

const CONNECTIONS = 100
const CUSTOMERS = 100
/** The maximum p95 without Redis, as a multiple of the p95 with it. */
const MAX_OUTAGE_RATIO = 1.5
const headers = { 'x-sidecard-secret': SECRET }

/** Runs the scenarios on Node and returns the figures. Throws if a scenario fails. */
export async function runOnNode(seconds: number): Promise<Readonly<Record<string, string>>> {
  await using cluster = await startCluster(findPrograms())
  await sharesContent(cluster)
  const steady = await underLoad(cluster, () => delay(seconds * 1_000))
  expectNoneLost(steady)
  const perCustomer = Math.max(...cluster.errorService.requests.values())
  assert.ok(perCustomer <= 3, `the slow source was requested ${perCustomer} times for a customer`)

  let exitCode: number | null = null
  const terminated = await underLoad(cluster, async () => {
    await delay(1_000)
    exitCode = (await cluster.apps[0]?.end('SIGTERM')) ?? null
    await delay(2_000)
  })
  assert.equal(exitCode, 0)
  expectNoneLost(terminated)
  await cluster.restartApp(0)

  let killedAtMs = 0
  const killed = await underLoad(cluster, async () => {
    await delay(1_000)
    killedAtMs = performance.now()
    await cluster.apps[1]?.end('SIGKILL')
    await delay(2_000)
  })
  assert.ok(killed.lost.length <= CONNECTIONS)
  for (const { startedAtMs, reason } of killed.lost) {
    assert.ok(startedAtMs <= killedAtMs, `a request after SIGKILL was lost: ${reason}`)
  }
  await cluster.restartApp(1)

  // Each process loads each customer once: what it has seen before may be wrong by now.
  const redisStops = await underLoad(cluster, async () => {
    await cluster.stopRedis()
    await delay(3_000)
  })
  expectNoneLost(redisStops)
  // Long enough for an attempt to use Redis again.
  const withoutRedis = await underLoad(cluster, () => delay(7_000))
  expectNoneLost(withoutRedis)
  const ratio = withoutRedis.p95Ms / steady.p95Ms
  assert.ok(
    ratio <= MAX_OUTAGE_RATIO,
    `p95 rose from ${steady.p95Ms} to ${withoutRedis.p95Ms} ms without Redis`,
  )
  const afterRedis = await underLoad(cluster, async () => {
    await cluster.startRedis()
    await delay(5_000)
  })
  expectNoneLost(afterRedis)
  await untilShared(cluster)

  return {
    'steady load': describe(steady),
    'most requests to the slow source for one customer': String(perCustomer),
    'SIGTERM to one of three processes': describe(terminated),
    'SIGKILL of one of three processes': describe(killed),
    'Redis stops': describe(redisStops),
    'without Redis': describe(withoutRedis),
    'p95 without Redis, relative to steady load': ratio.toFixed(2),
    'Redis started again': describe(afterRedis),
  }
}

/** Content that one process has loaded is shown by the others. */
async function sharesContent({ apps, errorService }: Cluster): Promise<void> {
  for (const { port } of apps) {
    // oxlint-disable-next-line no-await-in-loop -- one process after another
    assert.match(await ask(port, 'acc_4000'), /Customer 4000.*Card declined/)
  }
  assert.equal(errorService.requests.get('acc_4000'), 1)
}

/** After an outage, the processes share content through Redis again. */
async function untilShared(cluster: Cluster): Promise<void> {
  const { apps, errorService } = cluster
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const id = `acc_${4_001 + attempt}`
    for (const { port } of apps) {
      // oxlint-disable-next-line no-await-in-loop -- one process after another
      await ask(port, id)
    }
    if (errorService.requests.get(id) === 1) return
    // oxlint-disable-next-line no-await-in-loop -- the clients reconnect within two seconds
    await delay(500)
  }
  assert.fail('the processes do not share content after Redis was started again')
}

/**
 * Sends a request to one process, with the host of the load balancer, which is
 * part of the cache key.
 */
async function ask(port: number, accountId: string): Promise<string> {
  const options = {
    port,
    path: createPath(accountId),
    headers: { ...headers, host: 'sidebar.example' },
  }
  const [response] = (await once(get(options), 'response')) as [IncomingMessage]
  return text(response)
}

async function underLoad({ port }: Cluster, run: () => Promise<void>): Promise<LoadResult> {
  const load = startLoad({
    url: `http://127.0.0.1:${port}`,
    headers,
    connections: CONNECTIONS,
    path: (request) => createPath(`acc_${1 + (request % CUSTOMERS)}`),
    check(status, responseHeaders, body) {
      const failure = responseHeaders['x-sidecard-failure']
      if (status !== 200) return `status ${status}`
      if (failure !== undefined) return String(failure)
      return body.includes('Card declined') ? undefined : 'no errors shown'
    },
  })
  await run()
  return load.stop()
}

function createPath(accountId: string): string {
  return `/?request_type=fetch_data&organization_id=o&issue_id=issue_1&account_id=${accountId}`
}

function expectNoneLost({ lost, requests }: LoadResult): void {
  const reasons = [...new Set(lost.map(({ reason }) => reason))].join(', ')
  assert.equal(lost.length, 0, `${lost.length} of ${requests} requests were lost: ${reasons}`)
}

function describe({ requestsPerSecond, p50Ms, p95Ms, maxMs, lost, requests }: LoadResult): string {
  return `${requests} requests, ${requestsPerSecond}/s, p50 ${p50Ms} ms, p95 ${p95Ms} ms, max ${maxMs} ms, ${lost.length} lost`
}
