import { badge, button, card, type Component, dateTime, link, text } from 'sidecard'

/** The components of a response; 15 are the realistic number. */
export type Size = 15 | 200 | 1000
export const SIZES: readonly Size[] = [15, 200, 1000]

export const HEADER = { title: 'Billing', icon_url: 'https://cdn.example.com/icons/billing.png' }

/** The default limits are 1,000 components and 256 KiB. */
export const LIMITS = { maxComponents: 2_000, maxBodyBytes: 1_048_576 }

const ROW_COUNT = 5_000

export interface Row {
  readonly id: string
  readonly plan: string
  readonly status: string
  readonly renews: string
  readonly invoice: string
  readonly admin: string
}

const ROW_TEXTS = Array.from({ length: ROW_COUNT }, (_, n) =>
  JSON.stringify({
    id: `${n}`,
    // One text in two has a second line, which JSON has to escape.
    plan: n % 2 === 0 ? `Enterprise, ${n} × seat, yearly` : `Enterprise\n${n} × seat, yearly`,
    status: `Active ${n}`,
    renews: new Date(Date.UTC(2027, 2, 1) + n * 1_000).toISOString(),
    invoice: `https://billing.example.com/invoices/${n}.pdf`,
    admin: `https://admin.example.com/accounts/acc_${n}?tab=billing`,
  }),
)

/** Returns a row with new strings, as a database returns them: flat, and none a constant. */
export function parseRow(n: number): Row {
  return JSON.parse(ROW_TEXTS[n % ROW_COUNT]!) as Row
}

const ROWS = ROW_TEXTS.map((_, n) => parseRow(n))

/** Returns a row with the same strings each time: reading the data costs the same with any stack. */
export function readRow(n: number): Row {
  return ROWS[n % ROW_COUNT]!
}

const CARD_SIZE = 5

/** Returns the components of response `n`, as literals, which nothing has checked yet. */
export function literals(size: Size, n: number, read: typeof readRow): Component[] {
  return createCards(size, n, read, (row) => ({
    type: 'card',
    header: { title: row.id },
    components: [
      { type: 'text', label: 'Plan', value: row.plan },
      { type: 'badge', label: 'Status', items: [{ value: row.status, color: 'green' }] },
      { type: 'date_time', label: 'Renews', value: row.renews },
      { type: 'link', label: 'Invoice', url: row.invoice },
      { type: 'button', label: 'Open in admin', button_type: 'link', url: row.admin },
    ],
  }))
}

/** Returns the same components, made by the builders. */
export function built(size: Size, n: number, read: typeof readRow): Component[] {
  return createCards(size, n, read, (row) =>
    card({
      header: { title: row.id },
      components: [
        text({ label: 'Plan', value: row.plan }),
        badge({ label: 'Status', items: [{ value: row.status, color: 'green' }] }),
        dateTime({ label: 'Renews', value: row.renews }),
        link({ label: 'Invoice', url: row.invoice }),
        button({ label: 'Open in admin', url: row.admin }),
      ],
    }),
  )
}

function createCards(
  size: Size,
  n: number,
  read: typeof readRow,
  create: (row: Row) => Component,
): Component[] {
  const first = n * (size / CARD_SIZE)
  return Array.from({ length: size / CARD_SIZE }, (_, index) => create(read(first + index)))
}
