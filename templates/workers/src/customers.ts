export interface Customer {
  readonly id: string
  readonly name: string
  /** In lowercase, because `identify()` passes emails and domains in lowercase. */
  readonly email?: string
  readonly domain?: string
  readonly plan: string
  readonly seats: number
  /** Any text, because there may be new statuses at any time. */
  readonly status: string
  /** Monthly recurring revenue in minor units, such as cents. */
  readonly mrrMinor: number
  readonly currency: string
  /** A date without a time, such as 2027-03-01. */
  readonly renewsOn?: string
}

export interface Order {
  readonly number: string
  readonly totalMinor: number
  readonly currency: string
  readonly placedOn: string
}

const CUSTOMERS: readonly Customer[] = [
  {
    id: 'acc_northwind',
    name: 'Northwind Traders',
    email: 'maria.anders@northwind.example',
    domain: 'northwind.example',
    plan: 'Business',
    seats: 25,
    status: 'active',
    mrrMinor: 124_900,
    currency: 'EUR',
    renewsOn: '2027-03-01',
  },
  {
    id: 'acc_lumen',
    name: 'Lumen & Søn',
    email: 'soren@lumen.example',
    domain: 'lumen.example',
    plan: 'Starter',
    seats: 3,
    status: 'past_due',
    mrrMinor: 4_900,
    currency: 'EUR',
    renewsOn: '2026-11-28',
  },
  {
    id: 'acc_lumen_labs',
    name: 'Lumen Labs',
    domain: 'lumen.example',
    plan: 'Starter',
    seats: 1,
    status: 'active',
    mrrMinor: 1_900,
    currency: 'EUR',
  },
  {
    id: 'acc_koi',
    name: 'Koi 鯉 Studio',
    email: 'hanako.suzuki@koi.example',
    plan: 'Enterprise',
    seats: 140,
    status: 'canceled',
    mrrMinor: 980_000,
    currency: 'JPY',
  },
  {
    id: 'acc_foxglove',
    name: '🦊 Foxglove 🌿',
    email: 'hello@foxglove.example',
    plan: 'Starter',
    seats: 2,
    status: 'trialing',
    mrrMinor: 0,
    currency: 'EUR',
  },
]

const ORDERS: Readonly<Record<string, readonly Order[]>> = {
  acc_northwind: [
    { number: '#10482', totalMinor: 124_900, currency: 'EUR', placedOn: '2026-11-17' },
    { number: '#10377', totalMinor: 8_900, currency: 'EUR', placedOn: '2026-10-30' },
  ],
  acc_lumen: [{ number: '#10415', totalMinor: 4_900, currency: 'EUR', placedOn: '2026-11-04' }],
}

// Replace these functions with calls to your own systems, and pass the signal to `fetch`.

export async function customerById(id: string, _signal: AbortSignal) {
  return CUSTOMERS.find((customer) => customer.id === id)
}

export async function customersByEmail(email: string, _signal: AbortSignal) {
  return CUSTOMERS.filter((customer) => customer.email === email)
}

export async function customersByDomain(domain: string, _signal: AbortSignal) {
  return CUSTOMERS.filter((customer) => customer.domain === domain)
}

export async function recentOrders(id: string, _signal: AbortSignal): Promise<readonly Order[]> {
  return Object.hasOwn(ORDERS, id) ? (ORDERS[id] ?? []) : []
}
