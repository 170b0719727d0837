/** A sample of the customer API for development and tests. API_URL replaces it. */
import { once } from 'node:events'
import { createServer } from 'node:http'

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

if (!process.env['API_URL']) {
  const api = createServer((request, response) => {
    const body = find(new URL(request.url ?? '/', 'http://localhost'))
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? {}))
  }).listen(0, '127.0.0.1')
  await once(api.unref(), 'listening')
  const { port } = api.address() as { port: number }
  process.env['API_URL'] = `http://127.0.0.1:${port}`
}
