import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { createEmulator } from 'sidecard/emulator'
import { createTestService } from 'sidecard/testing'
import { type FormsEnv, ticketForms } from '../src/ticket-forms.ts'

function open(env: FormsEnv) {
  const app = sidecard({
    header: { title: 'Forms' },
    auth: noAuth(),
    // One test causes a failure.
    logger: false,
    fetchData: () => [ticketForms(env)],
  })
  return createTestService(app).openIssue()
}

describe('the ticket forms', () => {
  test('are linked if they are public', async () => {
    const emulator = createEmulator()
    try {
      const { url: SIDECARD_API_URL } = await emulator.listen()
      const { text } = await open({ SIDECARD_API_URL, SIDECARD_API_TOKEN: emulator.accessToken })
      assert.match(text, /Request a refund/)
      assert.ok(!text.includes('Escalation'))
    } finally {
      await emulator.close()
    }
  })

  test('are a failure of one section if the API cannot be reached', async () => {
    const api = { SIDECARD_API_URL: 'http://127.0.0.1:9', SIDECARD_API_TOKEN: 'x' }
    const { failures } = await open(api)
    assert.deepEqual(
      failures.map(({ section }) => section),
      ['Forms to send'],
    )
  })

  test('are not requested without the variables, and the agent sees that', async () => {
    const { text, failures } = await open({})
    assert.match(text, /Not configured/)
    assert.deepEqual(failures, [])
  })
})
