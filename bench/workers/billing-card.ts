/** The content of the Workers whose size is measured: a card with the usual components. */
import { badge, button, card, dateTime, type FetchDataContext, secretHeader, text } from 'sidecard'

export interface Env {
  SIDECARD_SECRET?: string
}

export const header = {
  title: 'Billing',
  icon_url: 'https://cdn.example.com/icons/billing.png',
}

export const auth = secretHeader('x-sidecard-secret', (env: Env) => env.SIDECARD_SECRET)

export async function fetchData(ctx: FetchDataContext<Env>) {
  const id = ctx.require('account_id')
  return [
    card({
      header: { title: 'Plan' },
      components: [
        text({ label: 'Plan', value: 'Enterprise' }),
        badge({ label: 'Status', items: [{ value: 'Active', color: 'green' }] }),
        dateTime({ label: 'Renews', value: '2027-03-01T00:00:00Z' }),
        button({ label: 'Open in admin', url: `https://admin.example.com/accounts/${id}` }),
      ],
    }),
  ]
}
