import type { D1Database } from '@cloudflare/workers-types'

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
  /** A date without a time, such as 2027-03-01. */
  readonly renews_on: string | null
}

export interface Order {
  readonly number: string
  readonly total_minor: number
  readonly currency: string
  readonly placed_on: string
}

export interface Invoice {
  readonly number: string
  readonly total_minor: number
  readonly currency: string
  readonly paid_on: string | null
}

export function customerById(db: D1Database, id: string): Promise<Customer | null> {
  return db.prepare('SELECT * FROM customers WHERE id = ?').bind(id).first<Customer>()
}

export function customersByEmail(db: D1Database, email: string): Promise<Customer[]> {
  return all(db, 'SELECT * FROM customers WHERE lower(email) = ? LIMIT 50', email)
}

export function customersByDomain(db: D1Database, domain: string): Promise<Customer[]> {
  return all(db, 'SELECT * FROM customers WHERE lower(domain) = ? LIMIT 50', domain)
}

export function recentOrders(db: D1Database, id: string): Promise<Order[]> {
  return all(db, 'SELECT * FROM orders WHERE customer_id = ? ORDER BY placed_on DESC LIMIT 3', id)
}

export function recentInvoices(db: D1Database, id: string): Promise<Invoice[]> {
  return all(db, 'SELECT * FROM invoices WHERE customer_id = ? ORDER BY due_on DESC LIMIT 3', id)
}

/** Fails if the database cannot be queried. */
export function ping(db: D1Database): Promise<unknown> {
  return db.prepare('SELECT 1').first()
}

async function all<Row>(db: D1Database, sql: string, value: string): Promise<Row[]> {
  const { results } = await db.prepare(sql).bind(value).all<Row>()
  return results
}
