-- A few customers for development: `npm run seed`. They have the IDs of the emulator's accounts.
INSERT OR IGNORE INTO customers VALUES
  ('acc_northwind', 'Northwind Traders', 'Maria.Anders@northwind.example', 'northwind.example', 'Business', 25, 'active', 124900, 'EUR', '2027-03-01'),
  ('acc_lumen', 'Lumen & Søn', 'soren@lumen.example', 'lumen.example', 'Starter', 3, 'past_due', 4900, 'EUR', '2026-11-28'),
  ('acc_lumen_labs', 'Lumen Labs', NULL, 'lumen.example', 'Starter', 1, 'active', 1900, 'EUR', NULL),
  ('acc_koi', 'Koi 鯉 Studio', 'hanako.suzuki@koi.example', 'koi.example', 'Enterprise', 140, 'canceled', 980000, 'JPY', NULL),
  ('acc_foxglove', '🦊 Foxglove 🌿', 'hello@foxglove.example', NULL, 'Starter', 2, 'trialing', 0, 'EUR', NULL);
INSERT OR IGNORE INTO orders VALUES
  ('#10482', 'acc_northwind', 124900, 'EUR', '2026-11-17'),
  ('#10377', 'acc_northwind', 8900, 'EUR', '2026-10-30'),
  ('#10415', 'acc_lumen', 4900, 'EUR', '2026-11-04');
INSERT OR IGNORE INTO invoices VALUES
  ('INV-2201', 'acc_northwind', 124900, 'EUR', '2026-12-17', '2026-11-19'),
  ('INV-2188', 'acc_lumen', 4900, 'EUR', '2026-11-18', NULL);
