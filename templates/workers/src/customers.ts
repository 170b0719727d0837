export interface Customer {
  readonly name: string
  readonly plan: string
  readonly status: 'active' | 'past_due' | 'cancelled'
  readonly renewsAt?: string
}

export interface Order {
  readonly number: string
  readonly total: string
  readonly placedAt: string
}

const CUSTOMERS = new Map<string, Customer>([
  [
    'acc_northwind',
    {
      name: 'Northwind Traders',
      plan: 'Business',
      status: 'active',
      renewsAt: '2027-03-01T09:00:00Z',
    },
  ],
  ['acc_lumen', { name: 'Lumen & Søn', plan: 'Starter', status: 'past_due' }],
  ['acc_koi', { name: 'Koi 鯉 Studio', plan: 'Enterprise', status: 'cancelled' }],
])

const ORDERS = new Map<string, readonly Order[]>([
  [
    'acc_northwind',
    [
      { number: '#10482', total: '€ 1,249.00', placedAt: '2026-11-17T14:32:00Z' },
      { number: '#10377', total: '€ 89.00', placedAt: '2026-10-30T08:05:00Z' },
    ],
  ],
])

/** Replace the two functions with calls to your own systems, and pass the signal on to `fetch`. */
export async function findCustomer(
  id: string,
  _signal: AbortSignal,
): Promise<Customer | undefined> {
  return CUSTOMERS.get(id)
}

export async function recentOrders(id: string, _signal: AbortSignal): Promise<readonly Order[]> {
  return ORDERS.get(id) ?? []
}
