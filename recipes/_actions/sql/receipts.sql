-- What was confirmed in the pages of actions, by whom, and the outcome.
CREATE TABLE IF NOT EXISTS sidecard_receipts (
  action_key TEXT NOT NULL,
  number BIGINT NOT NULL,
  attempt_id TEXT NOT NULL,
  link_id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  state TEXT NOT NULL,
  organization TEXT,
  account TEXT,
  requester TEXT,
  issue TEXT,
  keep_until_seconds BIGINT NOT NULL,
  receipt TEXT NOT NULL,
  PRIMARY KEY (action_key, number)
);
CREATE INDEX IF NOT EXISTS sidecard_receipts_link ON sidecard_receipts (link_id);
CREATE INDEX IF NOT EXISTS sidecard_receipts_organization ON sidecard_receipts (organization);
CREATE INDEX IF NOT EXISTS sidecard_receipts_expiry ON sidecard_receipts (keep_until_seconds);
