/** The Worker whose size is held: one card with the usual components, behind a secret. */
import { badge, button, card, dateTime, secretHeader, sidecard, text } from 'sidecard'

interface Env {
  SIDECARD_SECRET?: string
}

export default sidecard<{ Bindings: Env }>({
  header: { title: 'Billing', icon_url: 'https://cdn.example.com/icons/billing.png' },
  auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
  async fetchData(ctx) {
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
  },
})
