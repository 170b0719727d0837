import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { unstable_startWorker as startWorker } from 'wrangler'
import { startLoad } from './load.ts'
import { WORKER_DEV } from '../helpers/worker-dev.ts'

const CONNECTIONS = 50
const CUSTOMERS = 100

const resolvePath = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Runs a Worker with KV and D1 in workerd under load. Returns the figures. */
export async function runOnWorkers(seconds: number): Promise<Readonly<Record<string, string>>> {
  const worker = await startWorker({
    config: resolvePath('../workerd/wrangler.toml'),
    entrypoint: resolvePath('billing-worker.ts'),
    dev: { ...WORKER_DEV, logLevel: 'error' },
  })
  try {
    const url = String(await worker.url)
    const seeded = await fetch(new URL('/seed', url), { method: 'POST' })
    assert.equal(await seeded.text(), '5000')

    const load = startLoad({
      url,
      headers: {},
      connections: CONNECTIONS,
      path: (request) =>
        `/?request_type=fetch_data&organization_id=o&issue_id=issue_1&account_id=acc_${1 + (request % CUSTOMERS)}`,
      check(status, headers, body) {
        if (status !== 200) return `status ${status}`
        const failure = headers['x-sidecard-failure']
        if (failure !== undefined) return String(failure)
        return /"Customer \d+"/.test(body) ? undefined : 'no customer shown'
      },
    })
    await delay(seconds * 1_000)
    const { requests, requestsPerSecond, p50Ms, p95Ms, maxMs, lost } = await load.stop()
    const reasons = [...new Set(lost.map(({ reason }) => reason))].join(', ')
    assert.equal(lost.length, 0, `${lost.length} of ${requests} requests were lost: ${reasons}`)
    const calls = Number(await (await fetch(new URL('/calls', url))).text())
    // One for each customer. A refresh after the TTL adds one per minute.
    const allowed = CUSTOMERS * (1 + Math.ceil(seconds / 60))
    assert.ok(calls >= CUSTOMERS && calls <= allowed, `the section was loaded ${calls} times`)
    return {
      'KV and D1 in workerd': `${requests} requests, ${requestsPerSecond}/s, p50 ${p50Ms} ms, p95 ${p95Ms} ms, max ${maxMs} ms, 0 lost`,
      'loads of the section': `${calls} for ${CUSTOMERS} customers`,
    }
  } finally {
    await worker.dispose()
  }
}
