import type { EmulatorAppInput } from '../../src/tools/emulator/index.ts'

const ICONS = 'https://cdn.tidepool.example/'

/** The icons of the widgets: URL and SVG. */
export const ICON_FILES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    billing:
      '<rect width="16" height="16" rx="4" fill="#1d6b3f"/><path d="M4 6h8M4 8.5h8M4 11h4" stroke="#fff" stroke-width="1.4"/>',
    usage:
      '<rect width="16" height="16" rx="4" fill="#2f4fc4"/><path d="M4.5 12V8M8 12V4M11.5 12V6.5" stroke="#fff" stroke-width="1.6"/>',
    errors:
      '<rect width="16" height="16" rx="4" fill="#8a4b08"/><path d="M8 4v5M8 11.5v.2" stroke="#fff" stroke-width="1.8"/>',
  }).map(([name, drawing]) => [
    `${ICONS}${name}.svg`,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${drawing}</svg>`,
  ]),
)

const BILLING = {
  version: '1.0.0',
  header: { title: 'Billing', icon_url: `${ICONS}billing.svg` },
  components: [
    {
      type: 'card',
      header: { title: 'Subscription' },
      components: [
        { type: 'text', label: 'Plan', value: 'Business, 24 seats' },
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
          url: 'https://admin.tidepool.example/accounts/northwind',
        },
      ],
    },
    {
      type: 'text',
      label: 'Account note',
      value: 'Moved from Starter on Monday.\nTwo invoices that day: the second one counts.',
    },
    {
      type: 'link',
      label: 'All invoices',
      url: 'https://billing.tidepool.example/accounts/northwind',
    },
  ],
}

const [SUBSCRIPTION, , INVOICES] = BILLING.components

/** The same widget for the customers of All states. */
const BY_ACCOUNT: Readonly<Record<string, unknown>> = {
  acc_lumen: {
    ...BILLING,
    components: [
      {
        ...SUBSCRIPTION,
        components: [
          { type: 'text', label: 'Plan', value: 'Starter, 3 seats' },
          ...(SUBSCRIPTION?.components ?? []).slice(1),
        ],
      },
      INVOICES,
    ],
  },
  acc_nobody: {
    ...BILLING,
    components: [
      {
        type: 'card',
        header: { title: 'Customer not found' },
        components: [{ type: 'text', label: 'Searched by', value: 'account ID' }],
      },
    ],
  },
}

const USAGE = {
  version: '1.0.0',
  header: { title: 'Usage', icon_url: `${ICONS}usage.svg` },
  components: [
    { type: 'text', label: 'Events, 30 days', value: '1,204,331' },
    { type: 'badge', label: 'Trend', items: [{ value: 'Growing', color: 'blue' }] },
    { type: 'date_time', label: 'Last sign-in', value: '2026-11-20T14:58:00Z' },
  ],
}

/** The payload above with an unknown component. */
const BROKEN = {
  ...USAGE,
  components: [...USAGE.components, { type: 'progress', label: 'Seats', value: '19 of 24' }],
}

/**
 * Creates the apps of the screenshots. `isBroken` is called for each data fetch
 * of the usage widget.
 */
export function createApps(isBroken: () => boolean): readonly EmulatorAppInput[] {
  return [
    {
      name: 'Billing',
      url: 'https://billing.tidepool.example/sidebar',
      headers: { 'x-sidecard-secret': 'shown-nowhere' },
      target: {
        fetch(request) {
          const account = new URL(request.url).searchParams.get('account_id') ?? ''
          return respond(request, BY_ACCOUNT[account] ?? BILLING)
        },
      },
    },
    {
      name: 'Usage',
      url: 'https://usage.tidepool.example/sidebar',
      target: { fetch: (request) => respond(request, isBroken() ? BROKEN : USAGE) },
    },
  ]
}

function respond(request: Request, data: unknown): Response {
  const { searchParams } = new URL(request.url)
  const isHandshake = searchParams.get('request_type') === 'verify'
  return Response.json(isHandshake ? { code: searchParams.get('code') } : data)
}
