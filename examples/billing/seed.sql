-- The customers of the emulator, so that each of its scenarios shows something here.
INSERT INTO accounts VALUES
  ('acc_northwind', 'Northwind Traders', 'Maria.Anders@northwind.example', 'northwind.example', 'Business', 25, 'active', 124900, 'EUR', '2027-03-01'),
  ('acc_lumen', 'Lumen & Søn', 'soren@lumen.example', 'lumen.example', 'Starter', 3, 'past_due', 4900, 'EUR', '2026-11-28'),
  ('acc_lumen_labs', 'Lumen Labs', 'team@lumen.example', 'lumen.example', 'Starter', 1, 'active', 1900, 'EUR', NULL),
  ('acc_lumen_archive', 'Lumen Archive', 'TEAM@lumen.example', NULL, 'Starter', 1, 'canceled', 0, 'EUR', NULL),
  ('acc_koi', 'Koi 鯉 Studio', 'hanako.suzuki@koi.example', 'koi.example', 'Enterprise', 140, 'canceled', 980000, 'JPY', NULL),
  ('acc_foxglove', '🦊 Foxglove 🌿', 'hello@foxglove.example', NULL, 'Starter', 2, 'trialing', 0, 'EUR', NULL)
  ON CONFLICT DO NOTHING;
UPDATE accounts SET trial_ends_on = '2026-12-01'
  WHERE id = 'acc_foxglove' AND trial_ends_on IS NULL;
INSERT INTO invoices VALUES
  ('INV-2206', 'acc_northwind', 124900, 'EUR', '2026-12-17', NULL),
  ('INV-2205', 'acc_northwind', 124900, 'EUR', '2026-11-17', '2026-11-19'),
  ('INV-2204', 'acc_northwind', 124900, 'EUR', '2026-10-17', '2026-10-18'),
  ('INV-2203', 'acc_northwind', 99900, 'EUR', '2026-09-17', '2026-09-17'),
  ('INV-2202', 'acc_northwind', 99900, 'EUR', '2026-08-17', '2026-08-20'),
  ('INV-2201', 'acc_northwind', 99900, 'EUR', '2026-07-17', '2026-07-17')
  ON CONFLICT DO NOTHING;
-- 5,000 accounts in all, with five invoices each.
INSERT INTO accounts
  SELECT
    'acc_' || n, 'Customer ' || n, 'billing@customer-' || n || '.example',
    'customer-' || n || '.example', (ARRAY['Starter', 'Business', 'Enterprise'])[1 + n % 3],
    1 + n % 200, (ARRAY['active', 'active', 'active', 'past_due'])[1 + n % 4],
    1900 + n % 97 * 1000, 'EUR', DATE '2026-12-01' + n % 365
  FROM generate_series(1, 4994) AS n
  ON CONFLICT DO NOTHING;
INSERT INTO invoices
  SELECT
    'INV-' || n || '-' || i, 'acc_' || n, 1900 + n % 97 * 1000, 'EUR',
    DATE '2026-06-15' + i * 30, CASE WHEN i < 5 OR n % 4 < 3 THEN DATE '2026-06-15' + i * 30 END
  FROM generate_series(1, 4994) AS n, generate_series(1, 5) AS i
  ON CONFLICT DO NOTHING;
ANALYZE;
