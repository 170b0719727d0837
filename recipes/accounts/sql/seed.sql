-- A few accounts for development.
INSERT INTO accounts (id, name, plan, status, renews_on) VALUES
  ('acc_northwind', 'Northwind Traders', 'Business', 'active', '2027-03-01'),
  ('acc_lumen', 'Lumen Optics', 'Starter', 'past_due', '2026-11-28'),
  ('acc_lumen_labs', 'Lumen Labs', 'Starter', 'trialing', NULL)
  ON CONFLICT DO NOTHING;
INSERT INTO account_emails (account_id, email) VALUES
  ('acc_northwind', 'Maria.Anders@northwind.example'),
  ('acc_northwind', 'thomas@northwind.example'),
  ('acc_lumen', 'soren@lumen.example')
  ON CONFLICT DO NOTHING;
INSERT INTO account_domains (account_id, domain) VALUES
  ('acc_northwind', 'northwind.example'),
  ('acc_lumen', 'lumen.example'),
  ('acc_lumen_labs', 'lumen.example')
  ON CONFLICT DO NOTHING;
