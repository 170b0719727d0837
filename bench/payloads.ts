import { badge, button, card, dateTime, divider, link, text } from '../src/builders/index.ts'

/** Over every answer that is measured. */
export const header = { title: 'Billing', icon_url: 'https://cdn.example.com/icons/billing.png' }

/** A realistic answer, made by the builders: three cards, fifteen components, 1.8 KB. */
export function withBuilders(n: number) {
  return {
    version: '1.0.0',
    header,
    components: [
      card({
        header: { title: 'Plan', icon_url: 'https://cdn.example.com/icons/plan.png' },
        components: [
          text({ label: 'Plan', value: `Enterprise ${n}` }),
          badge({
            label: 'Status',
            items: [
              { value: 'Active', color: 'green' },
              { value: 'Net 30', color: 'gray' },
            ],
          }),
          dateTime({ label: 'Renews', value: '2027-03-01T00:00:00Z' }),
          text({
            label: 'Account manager',
            value: 'Noor Haddad',
            icon_url: 'https://cdn.example.com/icons/user.png',
          }),
          button({
            label: 'Open in admin',
            url: 'https://admin.example.com/accounts/acc_93f2?tab=billing',
          }),
        ],
      }),
      card({
        header: { title: 'Last orders', icon_url: 'https://cdn.example.com/icons/orders.png' },
        components: [
          text({ label: 'A-1041', value: '3 × Standing desk, oak\nShipped, arrives Tuesday' }),
          dateTime({ label: 'Ordered', value: '2026-11-17T16:20:11.120Z' }),
          link({ label: 'Invoice', url: 'https://billing.example.com/invoices/2026-1041.pdf' }),
          divider(),
          text({
            label: 'A-1033',
            value:
              '1 × Monitor arm, white\nReturned by the customer, refund on its way to the card',
          }),
          badge({ label: 'State', items: [{ value: 'Returned', color: 'orange' }] }),
        ],
      }),
      card({
        header: { title: 'Usage', icon_url: 'https://cdn.example.com/icons/usage.png' },
        components: [
          text({ label: 'Seats', value: '41 of 50, of which 6 have not signed in for 30 days' }),
          text({
            label: 'API calls this month',
            value: '1,204,331 of 2,000,000 (60 %), about 1,900,000 by the end of the month',
          }),
          badge({ label: 'Errors', items: [{ value: '12 today', color: 'red' }] }),
          link({ label: 'Dashboard', url: 'https://app.example.com/orgs/7/usage#month' }),
        ],
      }),
    ],
  }
}

/** The same answer by literals, which nothing checks. */
export function withLiterals(n: number) {
  return {
    version: '1.0.0',
    header,
    components: [
      {
        type: 'card',
        header: { title: 'Plan', icon_url: 'https://cdn.example.com/icons/plan.png' },
        components: [
          { type: 'text', label: 'Plan', value: `Enterprise ${n}` },
          {
            type: 'badge',
            label: 'Status',
            items: [
              { value: 'Active', color: 'green' },
              { value: 'Net 30', color: 'gray' },
            ],
          },
          { type: 'date_time', label: 'Renews', value: '2027-03-01T00:00:00Z' },
          {
            type: 'text',
            label: 'Account manager',
            value: 'Noor Haddad',
            icon_url: 'https://cdn.example.com/icons/user.png',
          },
          {
            type: 'button',
            label: 'Open in admin',
            button_type: 'link',
            url: 'https://admin.example.com/accounts/acc_93f2?tab=billing',
          },
        ],
      },
      {
        type: 'card',
        header: { title: 'Last orders', icon_url: 'https://cdn.example.com/icons/orders.png' },
        components: [
          {
            type: 'text',
            label: 'A-1041',
            value: '3 × Standing desk, oak\nShipped, arrives Tuesday',
          },
          { type: 'date_time', label: 'Ordered', value: '2026-11-17T16:20:11.120Z' },
          {
            type: 'link',
            label: 'Invoice',
            url: 'https://billing.example.com/invoices/2026-1041.pdf',
          },
          { type: 'divider' },
          {
            type: 'text',
            label: 'A-1033',
            value:
              '1 × Monitor arm, white\nReturned by the customer, refund on its way to the card',
          },
          { type: 'badge', label: 'State', items: [{ value: 'Returned', color: 'orange' }] },
        ],
      },
      {
        type: 'card',
        header: { title: 'Usage', icon_url: 'https://cdn.example.com/icons/usage.png' },
        components: [
          {
            type: 'text',
            label: 'Seats',
            value: '41 of 50, of which 6 have not signed in for 30 days',
          },
          {
            type: 'text',
            label: 'API calls this month',
            value: '1,204,331 of 2,000,000 (60 %), about 1,900,000 by the end of the month',
          },
          { type: 'badge', label: 'Errors', items: [{ value: '12 today', color: 'red' }] },
          { type: 'link', label: 'Dashboard', url: 'https://app.example.com/orgs/7/usage#month' },
        ],
      },
    ],
  }
}
