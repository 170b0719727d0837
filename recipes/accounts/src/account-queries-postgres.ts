import type { Account, AccountQueries } from './accounts.ts'

/** The part of the project's database that the queries use. */
export interface Queryable {
  query<Row>(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** Creates the queries of `identifyAccount()`. */
export function createAccountQueries(db: Queryable): AccountQueries {
  const all = async (sql: string, value: string) => (await db.query<Account>(sql, [value])).rows
  return {
    byId: (id) => all('SELECT * FROM accounts WHERE id = $1', id),
    byEmail: (email) =>
      all(
        `SELECT DISTINCT accounts.* FROM accounts
         JOIN account_emails ON account_id = id WHERE lower(email) = $1 LIMIT 50`,
        email,
      ),
    byDomain: (domain) =>
      all(
        `SELECT DISTINCT accounts.* FROM accounts
         JOIN account_domains ON account_id = id WHERE lower(domain) = $1 LIMIT 50`,
        domain,
      ),
  }
}
