import type { D1Database } from '@cloudflare/workers-types'

export interface Customer {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly status: 'active' | 'past_due' | 'cancelled'
  readonly renews_at: string | null
}

export interface Order {
  readonly number: string
  readonly total_cents: number
  readonly placed_at: string
}

export interface Invoice {
  readonly number: string
  readonly total_cents: number
  readonly due_at: string
  readonly paid_at: string | null
}

export function findCustomer(db: D1Database, id: string): Promise<Customer | null> {
  return db.prepare('SELECT * FROM customers WHERE id = ?').bind(id).first<Customer>()
}

export async function recentOrders(db: D1Database, id: string): Promise<readonly Order[]> {
  const { results } = await db
    .prepare('SELECT * FROM orders WHERE customer_id = ? ORDER BY placed_at DESC LIMIT 3')
    .bind(id)
    .all<Order>()
  return results
}

export async function recentInvoices(db: D1Database, id: string): Promise<readonly Invoice[]> {
  const { results } = await db
    .prepare('SELECT * FROM invoices WHERE customer_id = ? ORDER BY due_at DESC LIMIT 3')
    .bind(id)
    .all<Invoice>()
  return results
}
