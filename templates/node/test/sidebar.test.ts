import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createTestService } from 'sidecard/testing'
import project from '../../_base/sidecard.json' with { type: 'json' }
import '../../http-node/dev/source.ts'
import { getCustomers } from '../../http/src/customers.ts'
import { createApp } from '../../_base/src/sidebar.ts'

/** What agents see. A state of sidecard.json without an entry is a type error. */
const SEEN: Record<keyof typeof project.customers | keyof typeof project.states, RegExp> = {
  'Northwind Traders': /Business[^]*€1,249\.00[^]*Open in admin[^]*#10482/,
  'Lumen Optics': /Starter[^]*● trialing[^]*None yet/,
  'Orders failed': /Northwind Traders[^]*Not available/,
  'Known by email': /Northwind Traders[^]*Matched by +● Email[^]*#10482/,
  'Unknown customer': /Customer not found/,
}

const app = createApp(getCustomers)
const env = { ...process.env, SIDECARD_SECRET: 'test' }
const service = createTestService(app, { env, project })

// The app logs the failed section.
mock.method(console, 'error', () => undefined)

for (const [state, seen] of Object.entries(SEEN)) {
  test(state, async () => {
    assert.match((await service.openState(state)).text, seen)
  })
}

test('rejects a request without the secret', async () => {
  assert.equal((await createTestService(app, { env }).connect()).ok, false)
})
