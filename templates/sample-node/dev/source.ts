/** The sample customers of development and tests. Production does not contain this file. */
import { customers } from '../../sample/src/customers.ts'

customers.push(
  {
    id: 'acc_northwind',
    name: 'Northwind Traders',
    email: 'maria.anders@northwind.example',
    plan: 'Business',
    seats: 25,
    status: 'active',
    mrr_minor: 124_900,
    currency: 'EUR',
    renews_on: '2027-03-01',
    orders: [
      { number: '#10482', total_minor: 124_900, currency: 'EUR', placed_on: '2026-11-17' },
      { number: '#10377', total_minor: 8_900, currency: 'EUR', placed_on: '2026-10-30' },
    ],
  },
  {
    id: 'acc_lumen',
    name: 'Lumen Optics',
    email: 'soren@lumen.example',
    plan: 'Starter',
    seats: 3,
    status: 'trialing',
    mrr_minor: 0,
    currency: 'EUR',
    renews_on: null,
    orders: [],
  },
)
