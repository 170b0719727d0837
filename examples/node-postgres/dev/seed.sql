-- The customers of development and tests. Running this again changes nothing.
INSERT INTO customers (id, name, email, domain, plan, seats, status, mrr_minor, currency, renews_on) VALUES
  ('acc_northwind', 'Northwind Traders', 'Maria.Anders@northwind.example', 'northwind.example', 'Business', 25, 'active', 124900, 'EUR', '2027-03-01'),
  ('acc_lumen', 'Lumen Optics', 'soren@lumen.example', 'lumen.example', 'Starter', 3, 'trialing', 0, 'EUR', NULL)
  ON CONFLICT DO NOTHING;
INSERT INTO orders (number, customer_id, total_minor, currency, placed_on) VALUES
  ('#10482', 'acc_northwind', 124900, 'EUR', '2026-11-17'),
  ('#10377', 'acc_northwind', 8900, 'EUR', '2026-10-30')
  ON CONFLICT DO NOTHING;
