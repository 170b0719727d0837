CREATE TABLE IF NOT EXISTS accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT,
  domain TEXT,
  plan TEXT NOT NULL,
  seats INTEGER NOT NULL,
  status TEXT NOT NULL,
  mrr_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  renews_on DATE,
  trial_ends_on DATE
);
CREATE INDEX IF NOT EXISTS accounts_by_email ON accounts (lower(email));
CREATE INDEX IF NOT EXISTS accounts_by_domain ON accounts (lower(domain));
CREATE TABLE IF NOT EXISTS invoices (
  number TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  total_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  due_on DATE NOT NULL,
  paid_on DATE
);
CREATE INDEX IF NOT EXISTS invoices_of_account ON invoices (account_id, due_on DESC);

CREATE TABLE IF NOT EXISTS trial_extensions (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  days INTEGER NOT NULL,
  extended_by TEXT,
  reason TEXT,
  extended_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
