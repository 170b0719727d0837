import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noAuth, sidecard, text } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { payloads } from '../src/payload-cache.ts'

/** Opens three issues of two customers. @returns how often their data was fetched */
async function countCalls(PAYLOADS: unknown): Promise<number> {
  let calls = 0
  const app = sidecard<{ PAYLOADS?: never }>({
    header: { title: 'Cached' },
    auth: noAuth(),
    // A failure of the cache is logged.
    logger: false,
    cache: payloads,
    fetchData: ({ params }) => {
      calls += 1
      return text({ label: 'Account', value: params.account_id ?? 'none' })
    },
  })
  const service = createTestService(app, { env: { PAYLOADS: PAYLOADS as never } })
  for (const account_id of ['acc_1', 'acc_1', 'acc_2']) {
    const { text: shown } = await service.openIssue({ account_id })
    assert.ok(shown.includes(account_id))
  }
  return calls
}

test('a payload is cached in KV, for its customer', async () => {
  const stored = new Map<string, string>()
  const namespace = {
    get: async (key: string) => stored.get(key) ?? null,
    put: async (key: string, value: string) => void stored.set(key, value),
  }
  assert.strictEqual(await countCalls(namespace), 2)
  assert.strictEqual(stored.size, 2)
  for (const key of stored.keys()) assert.ok(!key.includes('acc_'))
})

test('a payload is cached in memory without KV', async () => {
  assert.strictEqual(await countCalls(undefined), 2)
})

test('a namespace that fails does not fail a request', async () => {
  const down = () => Promise.reject(new Error('down'))
  assert.ok((await countCalls({ get: down, put: down })) >= 2)
})
