import {
  badge,
  button,
  calendarDate,
  card,
  dateTime,
  type FetchDataContext,
  fields,
  identify,
  money,
  section,
  status,
  text,
} from 'sidecard'
import { followUpTask } from '../../../recipes/follow-up-task/src/follow-up-task.ts'
import type { Env } from './env.ts'
import { ticketForms } from './ticket-forms.ts'

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

/** A group of equal errors. */
export interface CustomerError {
  readonly message: string
  readonly count: number
  readonly last_at: string | Date
}

/** The data source of the sidebar. Emails and domains are passed in lowercase. */
export interface Customers {
  byId(id: string, signal: AbortSignal): Promise<Customer | null | undefined>
  byEmail(email: string, signal: AbortSignal): Promise<readonly Customer[]>
  byDomain(domain: string, signal: AbortSignal): Promise<readonly Customer[]>
  /** The latest orders of a customer, newest first. */
  orders(id: string, signal: AbortSignal): Promise<readonly Order[]>
  /** The latest errors of a customer, newest first. */
  errors(id: string, signal: AbortSignal): Promise<readonly CustomerError[]>
}

type Context = Pick<FetchDataContext<{ Bindings: Env }>, 'env' | 'params' | 'signal' | 'log'>

/** Returns the sidebar of an issue: the customer, their orders and their recent errors. */
export async function fetchSidebar(ctx: Context, customers: Customers) {
  const { value: customer, via } = await identify(
    ctx,
    {
      account_id: (id) => customers.byId(id, ctx.signal),
      requester_email: (email) => customers.byEmail(email, ctx.signal),
      email_domain: (domain) => customers.byDomain(domain, ctx.signal),
    },
    { describe: ({ name, plan }) => ({ label: name, value: plan }) },
  )
  const { id } = customer
  const hasApi = Boolean(ctx.env.SIDECARD_API_URL && ctx.env.SIDECARD_API_TOKEN)
  return [
    overview(customer, via),
    section('Orders', (signal) => orders(customers, id, signal), { timeoutMs: 1_500 }),
    section('Recent errors', (signal) => errors(customers, id, signal), { timeoutMs: 1_500 }),
    ticketForms(ctx.env),
    // Like the link, only for an exact match: the task belongs to the account of the issue.
    hasApi && via === 'account_id' && followUpTask.button({}),
  ]
}

/** Statuses without a color are gray. */
const STATUS_COLORS = { active: 'green', past_due: 'orange' } as const

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

async function orders(customers: Customers, id: string, signal: AbortSignal) {
  const latest = await customers.orders(id, signal)
  if (latest.length === 0) return text({ label: 'Orders', value: 'None yet' })
  return latest.map(({ number, total_minor, currency, placed_on }) =>
    text({ label: number, value: `${money(total_minor, currency)} on ${calendarDate(placed_on)}` }),
  )
}

async function errors(customers: Customers, id: string, signal: AbortSignal) {
  const latest = await customers.errors(id, signal)
  if (latest.length === 0) return text({ label: 'Errors', value: 'None' })
  return latest.map(({ message, count, last_at }) =>
    dateTime({ label: count === 1 ? message : `${message} (${count} times)`, value: last_at }),
  )
}
