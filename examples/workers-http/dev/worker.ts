/** The Worker of `npm run server` and the tests, which `npm run deploy` does not upload. */
import { getCustomers } from '../src/customers.ts'
import { createApp } from '../src/sidebar.ts'

const CUSTOMERS = [
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
]

function find(url: URL): unknown {
  const [, , id, orders] = url.pathname.split('/').map(decodeURIComponent)
  const { email, domain } = Object.fromEntries(url.searchParams)
  if (email) return CUSTOMERS.filter((customer) => customer.email === email)
  if (domain) return CUSTOMERS.filter((customer) => customer.email.endsWith(`@${domain}`))
  const customer = CUSTOMERS.find((each) => each.id === id)
  return orders ? customer?.orders : customer
}

const sampleApi: typeof fetch = async (input) => {
  const body = find(new URL(new Request(input).url))
  return Response.json(body ?? {}, { status: body ? 200 : 404 })
}

export default createApp((env) => getCustomers(env, sampleApi))
