CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  status TEXT NOT NULL,
  renews_on DATE
);
-- An account has several emails, and an email can belong to several accounts.
CREATE TABLE account_emails (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  email TEXT NOT NULL,
  PRIMARY KEY (account_id, email)
);
CREATE INDEX account_emails_by_email ON account_emails (lower(email));
CREATE TABLE account_domains (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  domain TEXT NOT NULL,
  PRIMARY KEY (account_id, domain)
);
CREATE INDEX account_domains_by_domain ON account_domains (lower(domain));
