import { badge, button, card, dateTime, secretHeader, section, sidecard, text } from 'sidecard'
import type { Customer, Database } from './database.ts'
import { ticketForms } from './ticket-forms.ts'

/** What the environment holds; locally it stands in `.env`. */
export interface Env {
  readonly SIDECARD_SECRET?: string
  /** The service's API; without it the sidebar goes without the forms. */
  readonly SIDECARD_API_URL?: string
  readonly SIDECARD_API_TOKEN?: string
}

const STATUS = {
  active: { value: 'Active', color: 'green' },
  past_due: { value: 'Past due', color: 'orange' },
  cancelled: { value: 'Cancelled', color: 'gray' },
} as const

/** The sidebar of an issue: who the customer is, what they bought, what went wrong lately. */
export function createApp(database: Database) {
  return sidecard<{ Bindings: Env }>({
    header: { title: 'Customer' },
    auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
    onError: (error) => console.error(error),
    fetchData(ctx) {
      const id = ctx.require('account_id')
      const customer = database.customer(id)
      if (customer === undefined) return [unknownCustomer()]
      return [
        overview(customer),
        section('Orders', () => orders(database, id), { timeoutMs: 1_500 }),
        section('Recent errors', () => failures(database, id), { timeoutMs: 1_500 }),
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

async function orders(database: Database, id: string) {
  const latest = await database.orders(id)
  if (latest.length === 0) return text({ label: 'Orders', value: 'None yet' })
  return latest.flatMap(({ number, total_cents, placed_at }) => [
    text({ label: `Order ${number}`, value: `€ ${(total_cents / 100).toFixed(2)}` }),
    dateTime({ label: 'Placed', value: placed_at }),
  ])
}

async function failures(database: Database, id: string) {
  const latest = await database.failures(id)
  if (latest.length === 0) return text({ label: 'Last days', value: 'No errors' })
  return latest.flatMap(({ message, happened_at }) => [
    text({ label: 'Error', value: message }),
    dateTime({ label: 'When', value: happened_at }),
  ])
}

function unknownCustomer() {
  return card({
    header: { title: 'Unknown customer' },
    components: [text({ label: 'Account', value: 'Nobody in our database has this account.' })],
  })
}
