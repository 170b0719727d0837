import assert from 'node:assert/strict'
import { describe, mock, test, type TestContext } from 'node:test'
import { createEmulator } from 'sidecard/emulator'
import { createTestService } from 'sidecard/testing'
import { createApp } from '../src/app.ts'
import { database, env } from './env.ts'

// A denied agent is logged.
mock.method(console, 'error', () => undefined)
mock.method(console, 'warn', () => undefined)

async function open(t: TestContext, agent?: { email: string }) {
  const emulator = createEmulator()
  t.after(() => emulator.close())
  const { url: SIDECARD_API_URL } = await emulator.listen()
  const api = { SIDECARD_API_URL, SIDECARD_API_TOKEN: emulator.accessToken }
  const headers = { 'x-sidecard-secret': 'test' }
  const options = { env: { ...env, ...api }, headers, ...(agent && { agent }) }
  const service = createTestService(createApp(database), options)
  await service.openIssue({ issue_id: crypto.randomUUID(), account_id: 'acc_northwind' })
  return service.openAction('Create follow-up task')
}

describe('the follow-up task', () => {
  test('is created in the service, once', async (t) => {
    const page = await open(t, { email: 'robin@example.com' })
    const { outcome, text } = await page.confirm({ title: 'Call back' })
    assert.equal(outcome, 'done', text)
    assert.match(text, /Task: task_/)
    assert.equal((await page.confirm({ title: 'Call back' })).outcome, 'already_done')
  })

  test('is denied to agents who are not signed in', async (t) => {
    const { status, form } = await open(t)
    assert.deepEqual([status, form], [403, undefined])
  })
})
