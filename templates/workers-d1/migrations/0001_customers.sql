CREATE TABLE customers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'past_due', 'cancelled')),
  renews_at TEXT
);
CREATE TABLE orders (
  number TEXT PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers (id),
  total_cents INTEGER NOT NULL,
  placed_at TEXT NOT NULL
);
CREATE INDEX orders_of_customer ON orders (customer_id, placed_at DESC);
CREATE TABLE invoices (
  number TEXT PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers (id),
  total_cents INTEGER NOT NULL,
  due_at TEXT NOT NULL,
  paid_at TEXT
);
CREATE INDEX invoices_of_customer ON invoices (customer_id, due_at DESC);
