import { DatabaseSync } from 'node:sqlite'

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

/** A group of equal errors. */
export interface CustomerError {
  readonly message: string
  readonly count: number
  readonly last_at: string
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS customers (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT, domain TEXT, plan TEXT NOT NULL,
    seats INTEGER NOT NULL, status TEXT NOT NULL, mrr_minor INTEGER NOT NULL,
    currency TEXT NOT NULL, renews_on TEXT
  );
  CREATE TABLE IF NOT EXISTS orders (
    number TEXT PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customers,
    total_minor INTEGER NOT NULL, currency TEXT NOT NULL, placed_on TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS errors (
    customer_id TEXT NOT NULL REFERENCES customers, message TEXT NOT NULL, happened_at TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS customers_by_email ON customers (lower(email));
  CREATE INDEX IF NOT EXISTS customers_by_domain ON customers (lower(domain));
`

const SEED = `
  INSERT INTO customers VALUES
    ('acc_northwind', 'Northwind Traders', 'Maria.Anders@northwind.example', 'northwind.example', 'Business', 25, 'active', 124900, 'EUR', '2027-03-01'),
    ('acc_lumen', 'Lumen & Søn', 'soren@lumen.example', 'lumen.example', 'Starter', 3, 'past_due', 4900, 'EUR', '2026-11-28'),
    ('acc_lumen_labs', 'Lumen Labs', NULL, 'lumen.example', 'Starter', 1, 'active', 1900, 'EUR', NULL),
    ('acc_koi', 'Koi 鯉 Studio', 'hanako.suzuki@koi.example', 'koi.example', 'Enterprise', 140, 'canceled', 980000, 'JPY', NULL),
    ('acc_foxglove', '🦊 Foxglove 🌿', 'hello@foxglove.example', NULL, 'Starter', 2, 'trialing', 0, 'EUR', NULL);
  INSERT INTO orders VALUES
    ('#10482', 'acc_northwind', 124900, 'EUR', '2026-11-17'),
    ('#10377', 'acc_northwind', 8900, 'EUR', '2026-10-30'),
    ('#10415', 'acc_lumen', 4900, 'EUR', '2026-11-04');
  INSERT INTO errors VALUES
    ('acc_northwind', 'Webhook timed out after 10 s', '2026-11-20T22:14:09Z'),
    ('acc_lumen', 'Card was declined', '2026-11-19T06:00:00Z'),
    ('acc_lumen', 'Card was declined', '2026-11-18T06:00:00Z');
`

/** Opens the database of the app. A new database gets a few customers. */
export function openDatabase(path = ':memory:') {
  const db = new DatabaseSync(path)
  db.exec(SCHEMA)
  if (db.prepare('SELECT 1 FROM customers').get() === undefined) db.exec(SEED)
  const byId = db.prepare('SELECT * FROM customers WHERE id = ?')
  const byEmail = db.prepare('SELECT * FROM customers WHERE lower(email) = ?')
  const byDomain = db.prepare('SELECT * FROM customers WHERE lower(domain) = ?')
  const orders = db.prepare(
    'SELECT * FROM orders WHERE customer_id = ? ORDER BY placed_on DESC LIMIT 3',
  )
  const errors = db.prepare(
    `SELECT message, count(*) AS count, max(happened_at) AS last_at FROM errors
     WHERE customer_id = ? GROUP BY message ORDER BY last_at DESC LIMIT 5`,
  )
  const ping = db.prepare('SELECT 1')
  return {
    customerById: (id: string) => byId.get(id) as Customer | undefined,
    customersByEmail: (email: string) => byEmail.all(email) as unknown as Customer[],
    customersByDomain: (domain: string) => byDomain.all(domain) as unknown as Customer[],
    // The functions return promises, like those of a database server, so that sections load in
    // parallel.
    orders: async (id: string) => orders.all(id) as unknown as Order[],
    errors: async (id: string) => errors.all(id) as unknown as CustomerError[],
    ping: () => void ping.get(),
    close: () => db.close(),
  }
}

export type Database = ReturnType<typeof openDatabase>
