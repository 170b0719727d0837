import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { createEmulator } from 'sidecard/emulator'
import { createTestService } from 'sidecard/testing'
import { createApp } from '../src/app.ts'
import { createCustomers } from '../src/customers.ts'
import { database, env } from './env.ts'

const app = createApp(database)
const customers = createCustomers(database)
const down = () => Promise.reject(new Error('down'))
const headers = { 'x-sidecard-secret': 'test' }

/** An issue without IDs. */
const NO_IDS = { account_id: '', requester_id: '', requester_email: '' }

// Some tests cause rejected requests and failures, which the app logs.
mock.method(console, 'warn', () => undefined)
mock.method(console, 'error', () => undefined)

function open(ids: { account_id?: string; requester_email?: string }, from = app, api = {}) {
  const service = createTestService(from, { env: { ...env, ...api }, headers })
  return service.openIssue({ ...NO_IDS, ...ids })
}

describe('the sidebar', () => {
  test('shows the plan, the orders and the errors of a customer', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    const shown = ['Northwind Traders', 'Business', '€1,249.00', '● active', '#10482', 'Webhook']
    for (const each of shown) assert.ok(text.includes(each), `${each} is missing in:\n${text}`)
    assert.match(text, /Open in admin/)
    assert.deepEqual(findings, [])
  })

  test('shows a customer who is only known by email, without the admin link', async () => {
    const ids = { account_id: 'acc_unknown', requester_email: 'maria.anders@NORTHWIND.example' }
    const { text, outcome } = await open(ids)
    assert.equal(outcome, 'rendered')
    assert.match(text, /Northwind Traders/)
    assert.match(text, /Matched by +● Email/)
    assert.doesNotMatch(text, /Open in admin/)
  })

  test('lists the candidates if several customers match', async () => {
    const { text, outcome } = await open({ requester_email: 'new@lumen.example' })
    assert.equal(outcome, 'ambiguous')
    assert.match(text, /Lumen & Søn/)
    assert.match(text, /Lumen Labs/)
  })

  test('says that no customer was found', async () => {
    const { text, outcome } = await open({ account_id: 'acc_unknown' })
    assert.equal(outcome, 'not_found')
    assert.match(text, /Customer not found/)
  })

  test('says that an issue has no IDs', async () => {
    const { text, outcome } = await open({})
    assert.equal(outcome, 'not_found')
    assert.match(text, /no account ID/)
  })

  test('shows an unknown status', async () => {
    assert.match((await open({ account_id: 'acc_foxglove' })).text, /● trialing/)
  })

  test('says that a customer has no orders and no errors', async () => {
    const { text } = await open({ account_id: 'acc_koi' })
    assert.match(text, /¥980,000/)
    assert.match(text, /None yet/)
    assert.match(text, /Errors +None/)
  })

  test('shows how often an error occurred', async () => {
    const { text, payload } = await open({ account_id: 'acc_lumen' })
    assert.equal(text.match(/Card was/g)?.length, 1)
    assert.match(JSON.stringify(payload), /Card was declined \(2 times\)/)
  })

  test('shows the rest if one data source fails', async () => {
    const broken = createApp(database, { ...customers, orders: down })
    const { text, failures } = await open({ account_id: 'acc_northwind' }, broken)
    assert.match(text, /Northwind Traders/)
    assert.match(text, /Webhook/)
    assert.doesNotMatch(text, /#10482/)
    assert.deepEqual(
      failures.map(({ kind, section }) => [kind, section]),
      [['section_failed', 'Orders']],
    )
  })

  test('never guesses a customer if a lookup fails', async () => {
    const broken = createApp(database, { ...customers, byId: down })
    const ids = { account_id: 'acc_koi', requester_email: 'maria.anders@northwind.example' }
    const { text, failures } = await open(ids, broken)
    assert.equal(failures[0]?.kind, 'identity_failed')
    assert.doesNotMatch(text, /Northwind/)
  })

  test('reads an ID as a value, never as SQL', async () => {
    const { outcome } = await open({ account_id: "acc'; DROP TABLE customers --" })
    assert.equal(outcome, 'not_found')
  })

  test('shows links to the public forms of the service', async (t) => {
    const service = createEmulator()
    t.after(() => service.close())
    const { url: SIDECARD_API_URL } = await service.listen()
    const api = { SIDECARD_API_URL, SIDECARD_API_TOKEN: service.accessToken }
    const { text } = await open({ account_id: 'acc_koi' }, app, api)
    assert.match(text, /Request a refund/)
    assert.doesNotMatch(text, /Escalation/)
  })
})

describe('the endpoint', () => {
  test('rejects a request without the secret', async () => {
    assert.equal((await createTestService(app, { env }).connect()).ok, false)
  })

  test('rejects every request while no secret is configured', async () => {
    assert.equal(
      (await createTestService(app, { env: { ...env, SIDECARD_SECRET: '' }, headers }).connect())
        .ok,
      false,
    )
  })

  test('rejects every request while a variable is invalid', async () => {
    const invalid = { ...env, SIDECARD_API_URL: 'not a URL' }
    assert.equal((await createTestService(app, { env: invalid, headers }).connect()).ok, false)
  })
})
