import { badge, button, card, dateTime, secretHeader, section, sidecard, text } from 'sidecard'
import { type Customer, findCustomer, recentOrders } from './customers.ts'
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
    const id = ctx.require('account_id')
    const customer = await findCustomer(id, ctx.signal)
    if (customer === undefined) return [unknownCustomer()]
    return [
      overview(id, customer),
      section('Orders', (signal) => orders(id, signal), { timeoutMs: 1_500 }),
      ticketForms(ctx.env),
    ]
  },
})

function overview(id: string, { name, plan, status, renewsAt }: Customer) {
  return card({
    header: { title: name },
    components: [
      text({ label: 'Plan', value: plan }),
      badge({ label: 'Status', items: [STATUS[status]] }),
      renewsAt && dateTime({ label: 'Renews', value: renewsAt }),
      button({
        label: 'Open in admin',
        url: `https://admin.example.com/customers/${encodeURIComponent(id)}`,
      }),
    ],
  })
}

async function orders(id: string, signal: AbortSignal) {
  const latest = await recentOrders(id, signal)
  if (latest.length === 0) return text({ label: 'Orders', value: 'None yet' })
  return latest.flatMap(({ number, total, placedAt }) => [
    text({ label: `Order ${number}`, value: total }),
    dateTime({ label: 'Placed', value: placedAt }),
  ])
}

function unknownCustomer() {
  return card({
    header: { title: 'Unknown customer' },
    components: [text({ label: 'Account', value: 'Nobody in our data has this account.' })],
  })
}
