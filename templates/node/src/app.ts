import {
  badge,
  button,
  calendarDate,
  card,
  dateTime,
  fields,
  identify,
  money,
  secretHeader,
  section,
  sidecard,
  status,
  text,
} from 'sidecard'
import type { Customer, Database } from './database.ts'
import { envSchema } from './env.ts'
import { ticketForms } from './ticket-forms.ts'

/** Statuses without a color are gray. */
const STATUS_COLORS = { active: 'green', past_due: 'orange' } as const

/** The sidebar of an issue: the customer, their orders and their recent errors. */
export function createApp(database: Database) {
  return sidecard(envSchema, {
    header: { title: 'Customer' },
    auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
    async fetchData(ctx) {
      const { value: customer, via } = await identify(
        ctx,
        {
          account_id: (id) => database.customerById(id),
          requester_email: (email) => database.customersByEmail(email),
          email_domain: (domain) => database.customersByDomain(domain),
        },
        { describe: ({ name, plan }) => ({ label: name, value: plan }) },
      )
      return [
        overview(customer, via),
        section('Orders', () => orders(database, customer.id), { timeoutMs: 1_500 }),
        section('Recent errors', () => errors(database, customer.id), { timeoutMs: 1_500 }),
        ticketForms(ctx.env),
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

async function orders(database: Database, id: string) {
  const latest = await database.orders(id)
  if (latest.length === 0) return text({ label: 'Orders', value: 'None yet' })
  return latest.map(({ number, total_minor, currency, placed_on }) =>
    text({
      label: number,
      value: `${money(total_minor, currency)} on ${calendarDate(placed_on)}`,
    }),
  )
}

async function errors(database: Database, id: string) {
  const latest = await database.errors(id)
  if (latest.length === 0) return text({ label: 'Errors', value: 'None' })
  return latest.map(({ message, count, last_at }) =>
    dateTime({ label: count === 1 ? message : `${message} (${count} times)`, value: last_at }),
  )
}
