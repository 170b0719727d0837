import {
  badge,
  button,
  calendarDate,
  card,
  fields,
  identify,
  money,
  secretHeader,
  section,
  sidecard,
  status,
  text,
} from 'sidecard'
import { type Env, envSchema } from './env.ts'

export interface Customer {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly seats: number
  /** Any text, because there may be new statuses at any time. */
  readonly status: string
  /** Monthly recurring revenue in minor units, such as cents. */
  readonly mrr_minor: number
  readonly currency: string
  /** A date without a time, such as 2027-03-01. */
  readonly renews_on: string | Date | null
}

export interface Order {
  readonly number: string
  readonly total_minor: number
  readonly currency: string
  readonly placed_on: string | Date
}

/** The data source of the sidebar. Emails and domains are passed in lowercase. */
export interface Customers {
  byId(id: string, signal: AbortSignal): Promise<Customer | null | undefined>
  byEmail(email: string, signal: AbortSignal): Promise<readonly Customer[]>
  byDomain(domain: string, signal: AbortSignal): Promise<readonly Customer[]>
  /** The latest orders of a customer, newest first. */
  orders(id: string, signal: AbortSignal): Promise<readonly Order[]>
}

/** Creates the app: how it finds the customer of an issue, and what agents see. */
export function createApp(getCustomers: (env: Env) => Customers) {
  return sidecard(envSchema, {
    name: 'customer',
    header: { title: 'Customer' },
    auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
    async fetchData(ctx) {
      const customers = getCustomers(ctx.env)
      const { value: customer, via } = await identify(
        ctx,
        {
          account_id: (id) => customers.byId(id, ctx.signal),
          requester_email: (email) => customers.byEmail(email, ctx.signal),
          email_domain: (domain) => customers.byDomain(domain, ctx.signal),
        },
        { id: ({ id }) => id, describe: ({ name, plan }) => ({ label: name, value: plan }) },
      )
      return [
        overview(customer, via),
        section(
          'Orders',
          async (signal) => listOrders(await customers.orders(customer.id, signal)),
          { timeoutMs: 1_500 },
        ),
      ]
    },
  })
}

function overview(customer: Customer, via: string) {
  const { id, name, plan, seats, mrr_minor, currency, renews_on } = customer
  return card({
    header: { title: name },
    components: [
      ...fields({
        Plan: plan,
        Seats: seats,
        MRR: money(mrr_minor, currency),
        Renews: renews_on && calendarDate(renews_on),
      }),
      badge({
        label: 'Status',
        // A status without a color is gray.
        items: [status(customer.status, { active: 'green', past_due: 'orange' })],
      }),
      // Only the account ID is an exact match. An email may belong to another customer.
      via === 'account_id'
        ? button({
            label: 'Open in admin',
            url: `https://admin.example.com/customers/${encodeURIComponent(id)}`,
          })
        : badge({
            label: 'Matched by',
            items: [{ value: via === 'email_domain' ? 'Email domain' : 'Email', color: 'orange' }],
          }),
    ],
  })
}

function listOrders(orders: readonly Order[]) {
  if (orders.length === 0) return text({ label: 'Orders', value: 'None yet' })
  return orders.map(({ number, total_minor, currency, placed_on }) =>
    text({ label: number, value: `${money(total_minor, currency)} on ${calendarDate(placed_on)}` }),
  )
}
