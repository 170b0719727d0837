import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Account, AccountQueries } from './accounts.ts'

/** Creates the tables if they do not exist. */
export function migrateAccounts(db: DatabaseSync): void {
  db.exec(read('accounts.sql'))
}

/** Adds a few accounts for development. */
export function seedAccounts(db: DatabaseSync): void {
  db.exec(read('accounts-seed.sql'))
}

/** Creates the queries of `identifyAccount()`. */
export function createAccountQueries(db: DatabaseSync): AccountQueries {
  const byId = db.prepare('SELECT * FROM accounts WHERE id = ?')
  const byEmail = db.prepare(
    `SELECT DISTINCT accounts.* FROM accounts
     JOIN account_emails ON account_id = id WHERE lower(email) = ? LIMIT 50`,
  )
  const byDomain = db.prepare(
    `SELECT DISTINCT accounts.* FROM accounts
     JOIN account_domains ON account_id = id WHERE lower(domain) = ? LIMIT 50`,
  )
  return {
    byId: (id) => byId.all(id) as unknown as Account[],
    byEmail: (email) => byEmail.all(email) as unknown as Account[],
    byDomain: (domain) => byDomain.all(domain) as unknown as Account[],
  }
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
