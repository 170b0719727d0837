import type { Database } from './database.ts'

export interface Account {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly seats: number
  /** Any string, because there may be new statuses at any time. */
  readonly status: string
  /** Monthly recurring revenue in minor units, such as cents. */
  readonly mrr_minor: number
  readonly currency: string
  /** A date without a time. */
  readonly renews_on: Date | null
  /** A date without a time; null without a trial. */
  readonly trial_ends_on: Date | null
  /** For exact matches only. */
  readonly admin_url: string
}

export interface Invoice {
  readonly number: string
  readonly total_minor: number
  readonly currency: string
  readonly paid_on: Date | null
}

const SELECT = "SELECT *, 'https://admin.example.com/accounts/' || id AS admin_url FROM accounts"

export async function findById(db: Database, id: string): Promise<Account | undefined> {
  const [account] = await db.query<Account>(`${SELECT} WHERE id = $1`, [id])
  return account
}

export function findByEmail(db: Database, email: string): Promise<readonly Account[]> {
  return db.query(`${SELECT} WHERE lower(email) = $1 LIMIT 50`, [email])
}

export function findByDomain(db: Database, domain: string): Promise<readonly Account[]> {
  return db.query(`${SELECT} WHERE lower(domain) = $1 LIMIT 50`, [domain])
}

export function lastInvoices(db: Database, id: string): Promise<readonly Invoice[]> {
  return db.query('SELECT * FROM invoices WHERE account_id = $1 ORDER BY due_on DESC LIMIT 5', [id])
}

/** Extends a trial and returns its new end; `undefined` if it was extended twice, or is none. */
export async function extendTrial(
  db: Database,
  id: string,
  days: number,
  by: string | undefined,
  reason: string | undefined,
): Promise<Date | undefined> {
  const [row] = await db.query<{ trial_ends_on: Date }>(
    `WITH extended AS (
      UPDATE accounts SET trial_ends_on = trial_ends_on + $2::int
      WHERE id = $1 AND trial_ends_on IS NOT NULL
        AND (SELECT count(*) FROM trial_extensions WHERE account_id = $1) < 2
      RETURNING id, trial_ends_on
    ), logged AS (
      INSERT INTO trial_extensions (account_id, days, extended_by, reason)
      SELECT id, $2::int, $3::text, $4::text FROM extended
    )
    SELECT trial_ends_on FROM extended`,
    [id, days, by ?? null, reason ?? null],
  )
  return row?.trial_ends_on
}
