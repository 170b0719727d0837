import { beforeAll, describe } from 'vitest'
import { CREATE_ACCOUNTS, IDENTITY_ROWS, testIdentityLookups } from '../helpers/identity-lookups.ts'

interface Statement {
  bind(...values: readonly unknown[]): Statement
  first(): Promise<never>
  all(): Promise<{ readonly results: never }>
  run(): Promise<unknown>
}

const MODULE: string = 'cloudflare:workers'
// The module has the types of Workers, which would replace those of the DOM in all other tests.
const { env } = (await import(MODULE)) as {
  readonly env: { readonly ACCOUNTS: { prepare(sql: string): Statement } }
}

describe('on D1', () => {
  const db = env.ACCOUNTS
  const all = async (sql: string, value: string) =>
    (await db.prepare(sql).bind(value).all()).results

  beforeAll(async () => {
    await db.prepare(CREATE_ACCOUNTS).run()
    for (const row of IDENTITY_ROWS) {
      // oxlint-disable-next-line no-await-in-loop -- seven rows
      await db
        .prepare('insert into accounts values (?, ?, ?, ?)')
        .bind(...row)
        .run()
    }
  })

  testIdentityLookups(() => ({
    byId: (id) => db.prepare('select * from accounts where id = ?').bind(id).first(),
    byEmail: (email) => all('select * from accounts where lower(email) = ?', email),
    byDomain: (domain) => all('select * from accounts where domain = ?', domain),
    broken: (id) => all('select * from missing_table where id = ?', id),
  }))
})
