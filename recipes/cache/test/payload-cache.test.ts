import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noAuth, sidecard, text } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { payloads } from '../src/payload-cache.ts'

test('a payload is cached for its customer', async () => {
  let calls = 0
  const app = sidecard({
    header: { title: 'Cached' },
    auth: noAuth(),
    cache: payloads,
    fetchData: ({ params }) => {
      calls += 1
      return text({ label: 'Account', value: params.account_id ?? 'none' })
    },
  })
  const service = createTestService(app)
  for (const account_id of ['acc_1', 'acc_1', 'acc_2']) {
    const { text: shown } = await service.openIssue({ account_id })
    assert.ok(shown.includes(account_id))
  }
  assert.strictEqual(calls, 2)
})
