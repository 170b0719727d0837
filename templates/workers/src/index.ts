import { badge, button, card, dateTime, secretHeader, sidecard, text } from 'sidecard'

interface Customer {
  readonly name: string
  readonly plan: string
  readonly status: 'active' | 'past_due'
  readonly renews_at?: string
}

interface Env {
  /** Workers KV: account id → customer, as JSON. */
  readonly CUSTOMERS: { get(key: string, type: 'json'): Promise<Customer | null> }
  readonly SIDECARD_SECRET?: string
}

export default sidecard<{ Bindings: Env }>({
  header: { title: 'Customer' },
  auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
  // oxlint-disable-next-line no-console -- replace it with your own error reporting
  onError: (error) => console.error(error),
  async fetchData(ctx) {
    const id = ctx.require('account_id')
    const customer = await ctx.env.CUSTOMERS.get(id, 'json')
    if (customer === null) {
      return [text({ label: 'Unknown customer', value: 'Nobody in our data has this account.' })]
    }
    return [
      card({
        header: { title: customer.name },
        components: [
          text({ label: 'Plan', value: customer.plan }),
          badge({
            label: 'Status',
            items: [
              customer.status === 'active'
                ? { value: 'Active', color: 'green' }
                : { value: 'Past due', color: 'orange' },
            ],
          }),
          customer.renews_at && dateTime({ label: 'Renews', value: customer.renews_at }),
          button({ label: 'Open in admin', url: `https://admin.example.com/customers/${id}` }),
        ],
      }),
    ]
  },
})
