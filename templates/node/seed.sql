-- A few customers for development. Running this again changes nothing.
INSERT INTO customers (id, name, email, domain, plan, seats, status, mrr_minor, currency, renews_on) VALUES
  ('acc_northwind', 'Northwind Traders', 'Maria.Anders@northwind.example', 'northwind.example', 'Business', 25, 'active', 124900, 'EUR', '2027-03-01'),
  ('acc_lumen', 'Lumen & Søn', 'soren@lumen.example', 'lumen.example', 'Starter', 3, 'past_due', 4900, 'EUR', '2026-11-28'),
  ('acc_lumen_labs', 'Lumen Labs', NULL, 'lumen.example', 'Starter', 1, 'active', 1900, 'EUR', NULL),
  ('acc_koi', 'Koi 鯉 Studio', 'hanako.suzuki@koi.example', 'koi.example', 'Enterprise', 140, 'canceled', 980000, 'JPY', NULL),
  ('acc_foxglove', '🦊 Foxglove 🌿', 'hello@foxglove.example', NULL, 'Starter', 2, 'trialing', 0, 'EUR', NULL)
  ON CONFLICT DO NOTHING;
INSERT INTO orders (number, customer_id, total_minor, currency, placed_on) VALUES
  ('#10482', 'acc_northwind', 124900, 'EUR', '2026-11-17'),
  ('#10377', 'acc_northwind', 8900, 'EUR', '2026-10-30'),
  ('#10415', 'acc_lumen', 4900, 'EUR', '2026-11-04')
  ON CONFLICT DO NOTHING;
INSERT INTO errors (id, customer_id, message, happened_at) VALUES
  ('err_1', 'acc_northwind', 'Webhook timed out after 10 s', '2026-11-20T22:14:09Z'),
  ('err_2', 'acc_lumen', 'Card was declined', '2026-11-19T06:00:00Z'),
  ('err_3', 'acc_lumen', 'Card was declined', '2026-11-18T06:00:00Z')
  ON CONFLICT DO NOTHING;
