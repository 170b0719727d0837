import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createTestService } from 'sidecard/testing'
import project from '../sidecard.json' with { type: 'json' }
import '../dev/source.ts'
import { getCustomers } from '../src/customers.ts'
import { createApp } from '../src/sidebar.ts'

const app = createApp(getCustomers)
const env = { ...process.env, SIDECARD_SECRET: 'test' }
const service = createTestService(app, { env, project })

// The app logs the failed section.
mock.method(console, 'error', () => undefined)

// sidebar.test.ts.snapshot contains what agents see. `npm run test:update` replaces it.
for (const state of Object.keys({ ...project.customers, ...project.states })) {
  test(state, async (t) => {
    t.assert.snapshot((await service.openState(state)).snapshot, { serializers: [String] })
  })
}

test('rejects a request without the secret', async () => {
  assert.equal((await createTestService(app, { env }).connect()).ok, false)
})
