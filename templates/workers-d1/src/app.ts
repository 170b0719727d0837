import type { D1Database } from '@cloudflare/workers-types'
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
import {
  type Customer,
  customerById,
  customersByDomain,
  customersByEmail,
  recentInvoices,
  recentOrders,
} from './customers.ts'
import { envSchema } from './env.ts'
import { ticketForms } from './ticket-forms.ts'

/** Statuses without a color are gray. */
const STATUS_COLORS = { active: 'green', past_due: 'orange' } as const

/** The sidebar of an issue: the customer, their orders and their invoices. */
export const app = sidecard(envSchema, {
  header: { title: 'Customer' },
  auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
  async fetchData(ctx) {
    const { DB } = ctx.env
    const { value: customer, via } = await identify(
      ctx,
      {
        account_id: (id) => customerById(DB, id),
        requester_email: (email) => customersByEmail(DB, email),
        email_domain: (domain) => customersByDomain(DB, domain),
      },
      { describe: ({ name, plan }) => ({ label: name, value: plan }) },
    )
    return [
      overview(customer, via),
      section('Orders', () => orders(DB, customer.id), { timeoutMs: 1_500 }),
      section('Invoices', () => invoices(DB, customer.id), { timeoutMs: 1_500 }),
      ticketForms(ctx.env),
    ]
  },
})

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
      badge({ label: 'Status', items: [status(customer.status, STATUS_COLORS)] }),
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

async function orders(db: D1Database, id: string) {
  const latest = await recentOrders(db, id)
  if (latest.length === 0) return text({ label: 'Orders', value: 'None yet' })
  return latest.map(({ number, total_minor, currency, placed_on }) =>
    text({ label: number, value: `${money(total_minor, currency)} on ${calendarDate(placed_on)}` }),
  )
}

async function invoices(db: D1Database, id: string) {
  const latest = await recentInvoices(db, id)
  if (latest.length === 0) return text({ label: 'Invoices', value: 'None yet' })
  return latest.map(({ number, total_minor, currency, paid_on }) =>
    badge({
      label: number,
      items: [
        { value: money(total_minor, currency), color: 'blue' },
        paid_on ? { value: 'Paid', color: 'green' } : { value: 'Open', color: 'red' },
      ],
    }),
  )
}
