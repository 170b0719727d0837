import type { D1Database } from '@cloudflare/workers-types'
import type { Account, AccountQueries } from './accounts.ts'

/** Creates the queries of `identifyAccount()`. */
export function createAccountQueries(db: D1Database): AccountQueries {
  const all = async (sql: string, value: string) =>
    (await db.prepare(sql).bind(value).all<Account>()).results
  return {
    byId: (id) => all('SELECT * FROM accounts WHERE id = ?', id),
    byEmail: (email) =>
      all(
        `SELECT DISTINCT accounts.* FROM accounts
         JOIN account_emails ON account_id = id WHERE lower(email) = ? LIMIT 50`,
        email,
      ),
    byDomain: (domain) =>
      all(
        `SELECT DISTINCT accounts.* FROM accounts
         JOIN account_domains ON account_id = id WHERE lower(domain) = ? LIMIT 50`,
        domain,
      ),
  }
}
