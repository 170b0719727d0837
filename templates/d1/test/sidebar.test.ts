import { createTestService } from 'sidecard/testing'
import { expect, test, vi } from 'vitest'
import project from '../../_base/sidecard.json' with { type: 'json' }
import { database } from '../dev/source.ts'
import app from '../../workers/src/index.ts'

/** What agents see. A state of sidecard.json without an entry is a type error. */
const SEEN: Record<keyof typeof project.customers | keyof typeof project.states, RegExp> = {
  'Northwind Traders': /Business[^]*€1,249\.00[^]*Open in admin[^]*#10482/,
  'Lumen Optics': /Starter[^]*● trialing[^]*None yet/,
  'Orders failed': /Northwind Traders[^]*Not available/,
  'Known by email': /Northwind Traders[^]*Matched by +● Email[^]*#10482/,
  'Unknown customer': /Customer not found/,
}

const env = { SIDECARD_SECRET: 'test', DB: database }
const service = createTestService(app, { env, project })

// The app logs the failed section.
vi.spyOn(console, 'error').mockReturnValue()

test.each(Object.entries(SEEN))('%s', async (state, seen) => {
  expect((await service.openState(state)).text).toMatch(seen)
})

test('rejects a request without the secret', async () => {
  expect(await createTestService(app, { env }).connect()).toMatchObject({ ok: false })
})
