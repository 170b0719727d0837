import type { Customer, CustomerError, Customers, Order } from '../../_base/src/sidebar.ts'
import type { Env } from './env.ts'

/**
 * Creates the data source of the sidebar. Replace its functions with calls to your
 * own systems, with their URLs and tokens from `env`, and pass the signal to
 * `fetch`.
 */
export function createCustomers(_env: Env): Customers {
  return {
    byId: async (id) => CUSTOMERS.find((customer) => customer.id === id),
    byEmail: async (email) => CUSTOMERS.filter((customer) => customer.email === email),
    byDomain: async (domain) => CUSTOMERS.filter((customer) => customer.domain === domain),
    orders: async (id) => ORDERS.get(id) ?? [],
    errors: async (id) => ERRORS.get(id) ?? [],
  }
}

/** Emails and domains are in lowercase, because `identify()` passes them in lowercase. */
type StoredCustomer = Customer & { readonly email?: string; readonly domain?: string }

const CUSTOMERS: readonly StoredCustomer[] = [
  {
    id: 'acc_northwind',
    name: 'Northwind Traders',
    email: 'maria.anders@northwind.example',
    domain: 'northwind.example',
    plan: 'Business',
    seats: 25,
    status: 'active',
    mrr_minor: 124_900,
    currency: 'EUR',
    renews_on: '2027-03-01',
  },
  {
    id: 'acc_lumen',
    name: 'Lumen & Søn',
    email: 'soren@lumen.example',
    domain: 'lumen.example',
    plan: 'Starter',
    seats: 3,
    status: 'past_due',
    mrr_minor: 4_900,
    currency: 'EUR',
    renews_on: '2026-11-28',
  },
  {
    id: 'acc_lumen_labs',
    name: 'Lumen Labs',
    domain: 'lumen.example',
    plan: 'Starter',
    seats: 1,
    status: 'active',
    mrr_minor: 1_900,
    currency: 'EUR',
    renews_on: null,
  },
  {
    id: 'acc_koi',
    name: 'Koi 鯉 Studio',
    email: 'hanako.suzuki@koi.example',
    domain: 'koi.example',
    plan: 'Enterprise',
    seats: 140,
    status: 'canceled',
    mrr_minor: 980_000,
    currency: 'JPY',
    renews_on: null,
  },
  {
    id: 'acc_foxglove',
    name: '🦊 Foxglove 🌿',
    email: 'hello@foxglove.example',
    plan: 'Starter',
    seats: 2,
    status: 'trialing',
    mrr_minor: 0,
    currency: 'EUR',
    renews_on: null,
  },
]

const ORDERS: ReadonlyMap<string, readonly Order[]> = new Map([
  [
    'acc_northwind',
    [
      { number: '#10482', total_minor: 124_900, currency: 'EUR', placed_on: '2026-11-17' },
      { number: '#10377', total_minor: 8_900, currency: 'EUR', placed_on: '2026-10-30' },
    ],
  ],
  [
    'acc_lumen',
    [{ number: '#10415', total_minor: 4_900, currency: 'EUR', placed_on: '2026-11-04' }],
  ],
])

const ERRORS: ReadonlyMap<string, readonly CustomerError[]> = new Map([
  [
    'acc_northwind',
    [{ message: 'Webhook timed out after 10 s', count: 1, last_at: '2026-11-20T22:14:09Z' }],
  ],
  ['acc_lumen', [{ message: 'Card was declined', count: 2, last_at: '2026-11-19T06:00:00Z' }]],
])
