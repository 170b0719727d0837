import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { desk } from 'sidecard/testing'
import { createApp } from '../src/app.ts'
import { openDatabase } from '../src/database.ts'

const database = openDatabase()
after(() => database.close())
const app = createApp(database)
const headers = { 'x-sidecard-secret': 'test' }

async function open(ids: { account_id?: string }) {
  const agent = desk(app, { env: { SIDECARD_SECRET: 'test' }, headers })
  assert.ok((await agent.connect()).ok)
  return agent.openIssue(ids)
}

describe('the sidebar', () => {
  test('shows the plan, the orders and the errors of a customer', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    for (const shown of ['Northwind Traders', 'Business', '● Active', '#10482', 'Webhook']) {
      assert.ok(text.includes(shown), `${shown} is missing in:\n${text}`)
    }
    assert.deepEqual(
      findings.filter(({ level }) => level === 'MUST'),
      [],
    )
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
})

describe('who may read', () => {
  test('nobody without the secret', async () => {
    const connection = await desk(app, { env: { SIDECARD_SECRET: 'test' } }).connect()
    assert.equal(connection.ok, false)
  })

  test('nobody at all while no secret is set', async () => {
    const connection = await desk(app, { env: {}, headers }).connect()
    assert.equal(connection.ok, false)
  })
})
