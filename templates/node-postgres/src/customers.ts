import type { Database } from './database.ts'

export interface Customer {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly seats: number
  /** Any text, because there may be new statuses at any time. */
  readonly status: string
  /** Monthly recurring revenue in minor units, such as cents. */
  readonly mrr_minor: number
  readonly currency: string
  /** A date without a time. */
  readonly renews_on: Date | null
}

export interface Order {
  readonly number: string
  readonly total_minor: number
  readonly currency: string
  readonly placed_on: Date
}

export interface Invoice {
  readonly number: string
  readonly total_minor: number
  readonly currency: string
  readonly paid_on: Date | null
}

export async function customerById(db: Database, id: string): Promise<Customer | undefined> {
  const [customer] = await db.query<Customer>('SELECT * FROM customers WHERE id = $1', [id])
  return customer
}

export function customersByEmail(db: Database, email: string): Promise<readonly Customer[]> {
  return db.query('SELECT * FROM customers WHERE lower(email) = $1 LIMIT 50', [email])
}

export function customersByDomain(db: Database, domain: string): Promise<readonly Customer[]> {
  return db.query('SELECT * FROM customers WHERE lower(domain) = $1 LIMIT 50', [domain])
}

export function recentOrders(db: Database, id: string): Promise<readonly Order[]> {
  return db.query('SELECT * FROM orders WHERE customer_id = $1 ORDER BY placed_on DESC LIMIT 3', [
    id,
  ])
}

export function recentInvoices(db: Database, id: string): Promise<readonly Invoice[]> {
  return db.query('SELECT * FROM invoices WHERE customer_id = $1 ORDER BY due_on DESC LIMIT 3', [
    id,
  ])
}

/** Fails if the database cannot be queried. */
export function ping(db: Database): Promise<unknown> {
  return db.query('SELECT 1')
}
