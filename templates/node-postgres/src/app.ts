import { badge, button, card, dateTime, secretHeader, section, sidecard, text } from 'sidecard'
import { type Customer, findCustomer, recentInvoices, recentOrders } from './customers.ts'
import type { Database } from './database.ts'
import { ticketForms } from './ticket-forms.ts'

const STATUS = {
  active: { value: 'Active', color: 'green' },
  past_due: { value: 'Past due', color: 'orange' },
  cancelled: { value: 'Cancelled', color: 'gray' },
} as const

/** What the environment holds; locally it stands in `.env`. */
export interface Env {
  readonly SIDECARD_SECRET?: string
  /** The service's API; without it the sidebar goes without the forms. */
  readonly SIDECARD_API_URL?: string
  readonly SIDECARD_API_TOKEN?: string
}

/** The sidebar of an issue: who the customer is, what they bought, what they owe. */
export function createApp(db: Database) {
  return sidecard<{ Bindings: Env }>({
    header: { title: 'Customer' },
    auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
    onError: (error) => console.error(error),
    async fetchData(ctx) {
      const id = ctx.require('account_id')
      const customer = await findCustomer(db, id)
      if (customer === undefined) return [unknownCustomer()]
      return [
        overview(customer),
        section('Orders', () => orders(db, id), { timeoutMs: 1_500 }),
        section('Invoices', () => invoices(db, id), { timeoutMs: 1_500 }),
        ticketForms(ctx.env),
      ]
    },
  })
}

function overview({ id, name, plan, status, renews_at }: Customer) {
  return card({
    header: { title: name },
    components: [
      text({ label: 'Plan', value: plan }),
      badge({ label: 'Status', items: [STATUS[status]] }),
      renews_at && dateTime({ label: 'Renews', value: renews_at }),
      button({
        label: 'Open in admin',
        url: `https://admin.example.com/customers/${encodeURIComponent(id)}`,
      }),
    ],
  })
}

async function orders(db: Database, id: string) {
  const latest = await recentOrders(db, id)
  if (latest.length === 0) return text({ label: 'Orders', value: 'None yet' })
  return latest.flatMap(({ number, total_cents, placed_at }) => [
    text({ label: `Order ${number}`, value: euros(total_cents) }),
    dateTime({ label: 'Placed', value: placed_at }),
  ])
}

async function invoices(db: Database, id: string) {
  const latest = await recentInvoices(db, id)
  if (latest.length === 0) return text({ label: 'Invoices', value: 'None yet' })
  return latest.map(({ number, total_cents, paid_at }) =>
    badge({
      label: number,
      items: [
        { value: euros(total_cents), color: 'blue' },
        paid_at ? { value: 'Paid', color: 'green' } : { value: 'Open', color: 'red' },
      ],
    }),
  )
}

function euros(cents: number): string {
  return `€ ${(cents / 100).toFixed(2)}`
}

function unknownCustomer() {
  return card({
    header: { title: 'Unknown customer' },
    components: [text({ label: 'Account', value: 'Nobody in our database has this account.' })],
  })
}
