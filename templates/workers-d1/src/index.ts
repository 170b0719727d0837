import type { D1Database } from '@cloudflare/workers-types'
import { badge, button, card, dateTime, secretHeader, section, sidecard, text } from 'sidecard'
import { type Customer, findCustomer, recentInvoices, recentOrders } from './customers.ts'
import type { Env } from './env.ts'
import { ticketForms } from './ticket-forms.ts'

const STATUS = {
  active: { value: 'Active', color: 'green' },
  past_due: { value: 'Past due', color: 'orange' },
  cancelled: { value: 'Cancelled', color: 'gray' },
} as const

export default sidecard<{ Bindings: Env }>({
  header: { title: 'Customer' },
  auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
  onError: (error) => console.error(error),
  async fetchData(ctx) {
    const { DB } = ctx.env
    const id = ctx.require('account_id')
    const customer = await findCustomer(DB, id)
    if (customer === null) return [unknownCustomer()]
    return [
      overview(customer),
      section('Orders', () => orders(DB, id), { timeoutMs: 1_500 }),
      section('Invoices', () => invoices(DB, id), { timeoutMs: 1_500 }),
      ticketForms(ctx.env),
    ]
  },
})

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

async function orders(db: D1Database, id: string) {
  const latest = await recentOrders(db, id)
  if (latest.length === 0) return text({ label: 'Orders', value: 'None yet' })
  return latest.flatMap(({ number, total_cents, placed_at }) => [
    text({ label: `Order ${number}`, value: euros(total_cents) }),
    dateTime({ label: 'Placed', value: placed_at }),
  ])
}

async function invoices(db: D1Database, id: string) {
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
