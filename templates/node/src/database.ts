import { DatabaseSync } from 'node:sqlite'

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

export interface Failure {
  readonly message: string
  readonly happened_at: string
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS customers (id TEXT PRIMARY KEY, name TEXT NOT NULL, plan TEXT NOT NULL, status TEXT NOT NULL, renews_at TEXT);
  CREATE TABLE IF NOT EXISTS orders (number TEXT PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customers, total_cents INTEGER NOT NULL, placed_at TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS failures (customer_id TEXT NOT NULL REFERENCES customers, message TEXT NOT NULL, happened_at TEXT NOT NULL);
`

const SEED = `
  INSERT INTO customers VALUES
    ('acc_northwind', 'Northwind Traders', 'Business', 'active', '2027-03-01T09:00:00Z'),
    ('acc_lumen', 'Lumen & Søn', 'Starter', 'past_due', '2026-11-28T09:00:00Z'),
    ('acc_koi', 'Koi 鯉 Studio', 'Enterprise', 'cancelled', NULL);
  INSERT INTO orders VALUES
    ('#10482', 'acc_northwind', 124900, '2026-11-17T14:32:00Z'),
    ('#10377', 'acc_northwind', 8900, '2026-10-30T08:05:00Z'),
    ('#10415', 'acc_lumen', 4900, '2026-11-04T19:41:00Z');
  INSERT INTO failures VALUES
    ('acc_northwind', 'Webhook timed out after 10 s', '2026-11-20T22:14:09Z'),
    ('acc_lumen', 'Card was declined: insufficient funds', '2026-11-19T06:00:00Z'),
    ('acc_lumen', 'Card was declined: insufficient funds', '2026-11-18T06:00:00Z');
`

/** Opens the database of the app; a new one is filled with a few customers to look at. */
export function openDatabase(path = ':memory:') {
  const db = new DatabaseSync(path)
  db.exec(SCHEMA)
  if (db.prepare('SELECT 1 FROM customers').get() === undefined) db.exec(SEED)
  const customer = db.prepare('SELECT * FROM customers WHERE id = ?')
  const orders = db.prepare(
    'SELECT * FROM orders WHERE customer_id = ? ORDER BY placed_at DESC LIMIT 3',
  )
  const failures = db.prepare(
    'SELECT * FROM failures WHERE customer_id = ? ORDER BY happened_at DESC LIMIT 5',
  )
  return {
    customer: (id: string) => customer.get(id) as Customer | undefined,
    // Promises, as from a database across the network: sections wait for them side by side.
    orders: async (id: string) => orders.all(id) as unknown as Order[],
    failures: async (id: string) => failures.all(id) as unknown as Failure[],
    close: () => db.close(),
  }
}

export type Database = ReturnType<typeof openDatabase>
