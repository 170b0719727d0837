/** An example payload. */
export interface Example {
  readonly name: string
  readonly value: unknown
}

const VERSION = '1.0.0'

/** The examples, in the order of the menu. A new playground shows the first one. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'A customer',
    value: {
      version: VERSION,
      header: { title: 'Billing' },
      components: [
        {
          type: 'card',
          header: { title: 'Plan' },
          components: [
            { type: 'text', label: 'Plan', value: 'Team, 24 seats' },
            {
              type: 'badge',
              label: 'Status',
              items: [
                { value: 'Active', color: 'green' },
                { value: 'Invoice due', color: 'orange' },
              ],
            },
            { type: 'date_time', label: 'Renews', value: '2027-03-01T09:00:00Z' },
            { type: 'divider' },
            {
              type: 'button',
              label: 'Open in admin',
              button_type: 'link',
              url: 'https://admin.example.com/accounts/7',
            },
          ],
        },
        {
          type: 'text',
          label: 'Note',
          value:
            'Renewal talks with their new head of support.\nAsk Noor before offering a discount.',
        },
        { type: 'link', label: 'All invoices', url: 'https://billing.example.com/accounts/7' },
      ],
    },
  },
  {
    name: 'Every component',
    value: {
      version: VERSION,
      header: { title: 'Every component' },
      components: [
        { type: 'text', label: 'text', value: 'One line' },
        { type: 'text', label: 'text', value: 'Several lines:\nthe second\nthe third' },
        { type: 'date_time', label: 'date_time', value: '2026-11-21T09:30:00+01:00' },
        {
          type: 'badge',
          label: 'badge',
          items: ['blue', 'green', 'red', 'orange', 'gray'].map((color) => ({
            value: color,
            color,
          })),
        },
        { type: 'divider' },
        { type: 'button', label: 'button', button_type: 'link', url: 'https://example.com/' },
        { type: 'link', label: 'link', url: 'https://example.com/' },
        {
          type: 'card',
          header: { title: 'card' },
          components: [{ type: 'text', label: 'text', value: 'In a card' }],
        },
      ],
    },
  },
  {
    name: 'Too long to fit',
    value: {
      version: VERSION,
      header: { title: 'A title that is wider than the sidebar, so it is truncated' },
      components: [
        {
          type: 'text',
          label: 'A label that is much longer than usual',
          value: `${'Everything that the customer ever said. '.repeat(20)}The end.`,
        },
        {
          type: 'badge',
          label: 'Badges',
          items: [
            { value: 'A value that is too long for its badge is truncated', color: 'red' },
            { value: 'Short', color: 'green' },
          ],
        },
        { type: 'text', label: 'One word', value: 'x'.repeat(400) },
      ],
    },
  },
  {
    name: 'Right-to-left and emoji',
    value: {
      version: VERSION,
      header: { title: 'حساب العميل' },
      components: [
        { type: 'text', label: 'الاسم', value: 'نور الهاشمي' },
        { type: 'text', label: 'Family', value: '👩‍👩‍👧‍👦 of four, in 東京' },
        { type: 'badge', label: 'מצב', items: [{ value: 'פעיל ✅', color: 'green' }] },
      ],
    },
  },
  {
    name: 'An unknown component',
    value: {
      version: VERSION,
      header: { title: 'Billing' },
      components: [
        { type: 'text', label: 'Plan', value: 'Team' },
        { type: 'progress', label: 'Seats', value: 0.8 },
      ],
    },
  },
  {
    name: 'Common mistakes',
    value: {
      version: VERSION,
      header: { title: 'Billing', iconUrl: 'https://cdn.example.com/billing.png' },
      components: [
        { type: 'text', label: 'Seats', value: 24 },
        { type: 'badge', label: 'Status', items: [{ value: 'Lapsed', color: 'grey' }] },
        { type: 'date_time', label: 'Renews', value: '2027-03-01' },
        { type: 'link', label: 'Invoices', url: '/invoices' },
      ],
    },
  },
]

/** Returns an example as text. */
export function exampleText({ value }: Example): string {
  return JSON.stringify(value, null, 2)
}
