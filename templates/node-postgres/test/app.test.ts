import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { desk } from 'sidecard/testing'
import { createApp } from '../src/app.ts'
import { openDatabase } from '../src/database.ts'

// The embedded PostgreSQL, or that of DATABASE_URL after `npm run migrate -- --seed`.
const database = await openDatabase()
after(() => database.close())
const app = createApp(database)
const env = { SIDECARD_SECRET: 'test' }
const headers = { 'x-sidecard-secret': 'test' }

async function open(ids: { account_id?: string }) {
  const agent = desk(app, { env, headers })
  assert.ok((await agent.connect()).ok)
  return agent.openIssue(ids)
}

describe('the sidebar', () => {
  test('shows the plan, the orders and the invoices of a customer', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    for (const shown of [
      'Northwind Traders',
      'Business',
      '● Active',
      '#10482',
      'INV-2201',
      '● Paid',
    ]) {
      assert.ok(text.includes(shown), `${shown} is missing in:\n${text}`)
    }
    assert.deepEqual(
      findings.filter(({ level }) => level === 'MUST'),
      [],
    )
  })

  test('says that an invoice is open', async () => {
    assert.match((await open({ account_id: 'acc_lumen' })).text, /● Open/)
  })

  test('says that a customer has no orders and no invoices yet', async () => {
    const { text } = await open({ account_id: 'acc_koi' })
    assert.equal(text.match(/None yet/g)?.length, 2)
  })

  test('says that a customer is unknown', async () => {
    const { text } = await open({ account_id: "acc'; DROP TABLE customers --" })
    assert.match(text, /Unknown customer/)
  })

  test('says that an issue has no account', async () => {
    assert.match((await open({ account_id: '' })).text, /Not available/)
  })
})

test('nobody reads without the secret', async () => {
  assert.equal((await desk(app, { env }).connect()).ok, false)
})
