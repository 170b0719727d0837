import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { accountCard, identifyAccount } from '../src/accounts.ts'
import { createAccountQueries } from '../src/accounts-postgres.ts'

/** A real PostgreSQL, embedded in this process. */
const postgres = new PGlite()
after(() => postgres.close())
const db = {
  query: async <Row>(sql: string, values: readonly unknown[] = []) =>
    (await postgres.query<Row>(sql, [...values])).rows,
}
for (const name of ['migrations/0002_accounts.sql', 'seed-accounts.sql']) {
  const sql = await readFile(new URL(`../${name}`, import.meta.url), 'utf8')
  // Both run twice, because they must be repeatable.
  await postgres.exec(sql)
  await postgres.exec(sql)
}

function open(ids: { account_id?: string; requester_email?: string }) {
  const app = sidecard({
    header: { title: 'Account' },
    auth: noAuth(),
    async fetchData(ctx) {
      const { value: account, via } = await identifyAccount(ctx, createAccountQueries(db))
      return [accountCard(account, via, 'https://admin.example.com/accounts')]
    },
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
    assert.doesNotMatch(text, /Open in admin/)
  })

  test('is found by the domain of the email', async () => {
    const { text } = await open({ requester_email: 'new@northwind.example' })
    assert.match(text, /Northwind Traders/)
    assert.match(text, /Email domain/)
  })

  test('is not guessed if several match', async () => {
    const { text, outcome } = await open({ requester_email: 'new@lumen.example' })
    assert.equal(outcome, 'ambiguous')
    assert.match(text, /Lumen & Søn/)
    assert.match(text, /Lumen Labs/)
  })

  test('is not found by a wildcard or by SQL', async () => {
    const ids = { account_id: "' OR 1=1 --", requester_email: '%@northwind.exampl_' }
    assert.equal((await open(ids)).outcome, 'not_found')
  })

  test('may have a status that the app does not know', async () => {
    assert.match((await open({ account_id: 'acc_lumen_labs' })).text, /● trialing/)
  })
})
