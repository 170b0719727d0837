import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { createAccountQueries } from '../src/account-queries.ts'
import { accountSection } from '../src/accounts.ts'
import { database } from '../../../templates/sqlite/dev/source.ts'

const accounts = createAccountQueries(database)

function open(ids: { account_id?: string; requester_email?: string }) {
  const app = sidecard({
    header: { title: 'Account' },
    auth: noAuth(),
    fetchData: (ctx) => [accountSection(ctx, accounts)],
  })
  return createTestService(app).openIssue({ account_id: '', requester_email: '', ...ids })
}

describe('the account', () => {
  test('is found by its ID, with a link to the admin page', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    assert.match(text, /Northwind Traders/)
    assert.match(text, /Renews +Mar 1, 2027/)
    assert.match(text, /● active/)
    assert.match(text, /Open in admin/)
    assert.deepEqual(findings, [])
  })

  test('is found by one of its emails in any case, without the link', async () => {
    const ids = { account_id: 'acc_unknown', requester_email: ' maria.anders@NORTHWIND.example' }
    const { text } = await open(ids)
    assert.match(text, /Northwind Traders/)
    assert.match(text, /Matched by +● Email/)
    assert.ok(!text.includes('Open in admin'))
  })

  test('is found by the domain of the email', async () => {
    const { text } = await open({ requester_email: 'new@northwind.example' })
    assert.match(text, /Northwind Traders/)
    assert.match(text, /Email domain/)
  })

  test('is not guessed if several match', async () => {
    const { text, outcome } = await open({ requester_email: 'new@lumen.example' })
    assert.strictEqual(outcome, 'ambiguous')
    assert.match(text, /Lumen Optics/)
    assert.match(text, /Lumen Labs/)
  })

  test('is not found by a wildcard or by SQL', async () => {
    const ids = { account_id: "' OR 1=1 --", requester_email: '%@northwind.exampl_' }
    assert.strictEqual((await open(ids)).outcome, 'not_found')
  })

  test('may have a status that the app does not know', async () => {
    assert.match((await open({ account_id: 'acc_lumen_labs' })).text, /● trialing/)
  })
})
