CREATE TABLE customers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT,
  domain TEXT,
  plan TEXT NOT NULL,
  seats INTEGER NOT NULL,
  status TEXT NOT NULL,
  mrr_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  renews_on DATE
);
CREATE INDEX customers_by_email ON customers (lower(email));
CREATE INDEX customers_by_domain ON customers (lower(domain));
CREATE TABLE orders (
  number TEXT PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers (id),
  total_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  placed_on DATE NOT NULL
);
CREATE INDEX orders_of_customer ON orders (customer_id, placed_on DESC);
