import assert from 'node:assert/strict'
import { after, describe, mock, test } from 'node:test'
import { createEmulator } from 'sidecard/emulator'
import { desk } from 'sidecard/testing'
import { createApp } from '../src/app.ts'
import { openDatabase } from '../src/database.ts'

const database = openDatabase()
after(() => database.close())
const app = createApp(database)
const env = { SIDECARD_SECRET: 'test' }
const headers = { 'x-sidecard-secret': 'test' }

// The app logs whom it refuses and what failed; here that is expected.
mock.method(console, 'warn', () => undefined)
mock.method(console, 'error', () => undefined)

async function open(ids: { account_id?: string }, from = { app, env }) {
  const agent = desk(from.app, { env: from.env, headers })
  assert.ok((await agent.connect()).ok)
  return agent.openIssue(ids)
}

describe('the sidebar', () => {
  test('shows the plan, the orders and the errors of a customer', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    for (const shown of ['Northwind Traders', 'Business', '● Active', '#10482', 'Webhook']) {
      assert.ok(text.includes(shown), `${shown} is missing in:\n${text}`)
    }
    assert.deepEqual(findings, [])
  })

  test('says that a customer has no orders yet', async () => {
    assert.match((await open({ account_id: 'acc_koi' })).text, /None yet/)
  })

  test('says that a customer is unknown', async () => {
    assert.match((await open({ account_id: 'acc_nobody' })).text, /Unknown customer/)
  })

  test('says that an issue has no account', async () => {
    assert.match((await open({ account_id: '' })).text, /Not available/)
  })

  test('has all the rest when one source is down', async () => {
    const limping = { ...database, orders: () => Promise.reject(new Error('down')) }
    const { text } = await open({ account_id: 'acc_northwind' }, { app: createApp(limping), env })
    assert.match(text, /Northwind Traders/)
    assert.match(text, /Webhook/)
    assert.doesNotMatch(text, /#10482/)
  })

  test('offers the public forms of the service', async (t) => {
    const service = createEmulator()
    t.after(() => service.close())
    const { url: SIDECARD_API_URL } = await service.listen()
    const api = { SIDECARD_API_URL, SIDECARD_API_TOKEN: service.accessToken }
    const { text } = await open({ account_id: 'acc_koi' }, { app, env: { ...env, ...api } })
    assert.match(text, /Request a refund/)
    assert.doesNotMatch(text, /Escalation/)
  })
})

describe('who may read', () => {
  test('nobody without the secret', async () => {
    const connection = await desk(app, { env }).connect()
    assert.equal(connection.ok, false)
  })

  test('nobody at all while no secret is set', async () => {
    const connection = await desk(app, { env: {}, headers }).connect()
    assert.equal(connection.ok, false)
  })
})
