import type { Database } from './database.ts'

export interface Customer {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly status: 'active' | 'past_due' | 'cancelled'
  readonly renews_at: Date | null
}

export interface Order {
  readonly number: string
  readonly total_cents: number
  readonly placed_at: Date
}

export interface Invoice {
  readonly number: string
  readonly total_cents: number
  readonly paid_at: Date | null
}

export async function findCustomer(db: Database, id: string): Promise<Customer | undefined> {
  const [customer] = await db.query<Customer>('SELECT * FROM customers WHERE id = $1', [id])
  return customer
}

export function recentOrders(db: Database, id: string): Promise<readonly Order[]> {
  return db.query('SELECT * FROM orders WHERE customer_id = $1 ORDER BY placed_at DESC LIMIT 3', [
    id,
  ])
}

export function recentInvoices(db: Database, id: string): Promise<readonly Invoice[]> {
  return db.query('SELECT * FROM invoices WHERE customer_id = $1 ORDER BY due_at DESC LIMIT 3', [
    id,
  ])
}
