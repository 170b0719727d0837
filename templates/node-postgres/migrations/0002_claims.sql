CREATE TABLE IF NOT EXISTS sidecard_claims (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  state TEXT NOT NULL,
  at_seconds BIGINT NOT NULL,
  until_seconds BIGINT NOT NULL
);
