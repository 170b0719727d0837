import type { D1Database } from '@cloudflare/workers-types'
import { readFile } from 'node:fs/promises'
import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getPlatformProxy } from 'wrangler'
import { accountCard, identifyAccount } from '../src/accounts.ts'
import { createAccountQueries } from '../src/accounts-d1.ts'

let proxy: Awaited<ReturnType<typeof getPlatformProxy<{ DB: D1Database }>>>

/** A real D1 database in memory, from the migration and the seed. */
beforeAll(async () => {
  proxy = await getPlatformProxy<{ DB: D1Database }>({ persist: false })
  const { DB } = proxy.env
  for (const file of ['migrations/0002_accounts.sql', 'seed-accounts.sql']) {
    const sql = await readFile(file, 'utf8')
    const statements = sql
      .replaceAll(/^--.*$/gm, '')
      .split(';')
      .filter((statement) => statement.trim() !== '')
    await DB.batch(statements.map((statement) => DB.prepare(statement)))
  }
})
afterAll(() => proxy.dispose())

function open(ids: { account_id?: string; requester_email?: string }) {
  const app = sidecard({
    header: { title: 'Account' },
    auth: noAuth(),
    async fetchData(ctx) {
      const { value: account, via } = await identifyAccount(ctx, createAccountQueries(proxy.env.DB))
      return [accountCard(account, via, 'https://admin.example.com/accounts')]
    },
  })
  return createTestService(app).openIssue({ account_id: '', requester_email: '', ...ids })
}

describe('the account', () => {
  test('is found by its ID, with a link to the admin page', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    expect(text).toMatch(/Northwind Traders/)
    expect(text).toMatch(/Renews +Mar 1, 2027/)
    expect(text).toMatch(/● active/)
    expect(text).toMatch(/Open in admin/)
    expect(findings).toEqual([])
  })

  test('is found by one of its emails in any case, without the link', async () => {
    const ids = { account_id: 'acc_unknown', requester_email: ' maria.anders@NORTHWIND.example' }
    const { text } = await open(ids)
    expect(text).toMatch(/Northwind Traders/)
    expect(text).toMatch(/Matched by +● Email/)
    expect(text).not.toMatch(/Open in admin/)
  })

  test('is found by the domain of the email', async () => {
    const { text } = await open({ requester_email: 'new@northwind.example' })
    expect(text).toMatch(/Northwind Traders/)
    expect(text).toMatch(/Email domain/)
  })

  test('is not guessed if several match', async () => {
    const { text, outcome } = await open({ requester_email: 'new@lumen.example' })
    expect(outcome).toBe('ambiguous')
    expect(text).toMatch(/Lumen & Søn/)
    expect(text).toMatch(/Lumen Labs/)
  })

  test('is not found by a wildcard or by SQL', async () => {
    const ids = { account_id: "' OR 1=1 --", requester_email: '%@northwind.exampl_' }
    expect((await open(ids)).outcome).toBe('not_found')
  })

  test('may have a status that the app does not know', async () => {
    expect((await open({ account_id: 'acc_lumen_labs' })).text).toMatch(/● trialing/)
  })
})
