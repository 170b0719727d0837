CREATE TABLE IF NOT EXISTS customers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'past_due', 'cancelled')),
  renews_at TIMESTAMPTZ
);
CREATE TABLE IF NOT EXISTS orders (
  number TEXT PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers (id),
  total_cents INTEGER NOT NULL,
  placed_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS orders_of_customer ON orders (customer_id, placed_at DESC);
CREATE TABLE IF NOT EXISTS invoices (
  number TEXT PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers (id),
  total_cents INTEGER NOT NULL,
  due_at TIMESTAMPTZ NOT NULL,
  paid_at TIMESTAMPTZ
);
CREATE INDEX IF NOT EXISTS invoices_of_customer ON invoices (customer_id, due_at DESC);
