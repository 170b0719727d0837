-- A few customers to look at: the embedded database has them, `npm run migrate -- --seed` adds them to a server.
INSERT INTO customers VALUES
  ('acc_northwind', 'Northwind Traders', 'Business', 'active', '2027-03-01T09:00:00Z'),
  ('acc_lumen', 'Lumen & Søn', 'Starter', 'past_due', '2026-11-28T09:00:00Z'),
  ('acc_koi', 'Koi 鯉 Studio', 'Enterprise', 'cancelled', NULL)
  ON CONFLICT DO NOTHING;
INSERT INTO orders VALUES
  ('#10482', 'acc_northwind', 124900, '2026-11-17T14:32:00Z'),
  ('#10377', 'acc_northwind', 8900, '2026-10-30T08:05:00Z'),
  ('#10415', 'acc_lumen', 4900, '2026-11-04T19:41:00Z')
  ON CONFLICT DO NOTHING;
INSERT INTO invoices VALUES
  ('INV-2201', 'acc_northwind', 124900, '2026-12-17T00:00:00Z', '2026-11-19T10:00:00Z'),
  ('INV-2188', 'acc_lumen', 4900, '2026-11-18T00:00:00Z', NULL)
  ON CONFLICT DO NOTHING;
