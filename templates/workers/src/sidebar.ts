import {
  badge,
  button,
  calendarDate,
  card,
  type FetchDataContext,
  fields,
  identify,
  money,
  section,
  status,
  text,
} from 'sidecard'
import {
  type Customer,
  customerById,
  customersByDomain,
  customersByEmail,
  recentOrders,
} from './customers.ts'
import type { Env } from './env.ts'
import { ticketForms } from './ticket-forms.ts'

/** Statuses without a color are gray. */
const STATUS_COLORS = { active: 'green', past_due: 'orange' } as const

/** Returns the sidebar of an issue: the customer and their orders. */
export async function fetchSidebar(ctx: FetchDataContext<{ Bindings: Env }>) {
  const { value: customer, via } = await identify(
    ctx,
    {
      account_id: (id) => customerById(id, ctx.signal),
      requester_email: (email) => customersByEmail(email, ctx.signal),
      email_domain: (domain) => customersByDomain(domain, ctx.signal),
    },
    { describe: ({ name, plan }) => ({ label: name, value: plan }) },
  )
  return [
    overview(customer, via),
    section('Orders', (signal) => orders(customer.id, signal), { timeoutMs: 1_500 }),
    ticketForms(ctx.env),
  ]
}

function overview(customer: Customer, via: string) {
  const { id, name, plan, seats, mrrMinor, currency, renewsOn } = customer
  return card({
    header: { title: name },
    components: [
      ...fields({
        Plan: plan,
        Seats: seats,
        MRR: money(mrrMinor, currency),
        Renews: renewsOn && calendarDate(renewsOn),
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

async function orders(id: string, signal: AbortSignal) {
  const latest = await recentOrders(id, signal)
  if (latest.length === 0) return text({ label: 'Orders', value: 'None yet' })
  return latest.map(({ number, totalMinor, currency, placedOn }) =>
    text({ label: number, value: `${money(totalMinor, currency)} on ${calendarDate(placedOn)}` }),
  )
}
