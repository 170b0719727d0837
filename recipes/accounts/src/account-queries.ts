import type { DatabaseSync } from 'node:sqlite'
import type { Account, AccountQueries } from './accounts.ts'

/** Creates the queries of `identifyAccount()`. */
export function createAccountQueries(db: DatabaseSync): AccountQueries {
  const all = (sql: string) => {
    const statement = db.prepare(sql)
    return (value: string) => statement.all(value) as unknown as readonly Account[]
  }
  return {
    byId: all('SELECT * FROM accounts WHERE id = ?'),
    byEmail: all(
      `SELECT DISTINCT accounts.* FROM accounts
       JOIN account_emails ON account_id = id WHERE lower(email) = ? LIMIT 50`,
    ),
    byDomain: all(
      `SELECT DISTINCT accounts.* FROM accounts
       JOIN account_domains ON account_id = id WHERE lower(domain) = ? LIMIT 50`,
    ),
  }
}
