import { badge, button, card, dateTime, link, text } from 'sidecard'

/** How many components a response has; 15 is the realistic number, in three cards. */
export type Size = 1 | 15 | 200 | 2000
export const SIZES: readonly Size[] = [1, 15, 200, 2000]

/** The header of every payload that is measured. */
export const HEADER = { title: 'Billing', icon_url: 'https://cdn.example.com/icons/billing.png' }

const CARD_SIZE = 5
const FIRST_RENEWAL_MS = Date.UTC(2027, 2, 1)

/**
 * Returns a payload of literals, which nothing checks. Every label and every
 * value depends on `n`, so that no string is the same in two responses.
 */
export function withLiterals(size: Size, n: number) {
  return createPayload(size, n, literal, literalCard)
}

/** Returns the same payload, made by the builders. */
export function withBuilders(size: Size, n: number) {
  return createPayload(size, n, built, builtCard)
}

/**
 * Returns a payload without the expensive steps that would be the same with and
 * without Sidecard: dates are strings. Texts have icons and need escapes.
 */
export function stringLiterals(size: Size, n: number) {
  return createPayload(size, n, stringLiteral, literalCard)
}

/** Returns the payload of {@link stringLiterals}, made by the builders. */
export function stringBuilders(size: Size, n: number) {
  return createPayload(size, n, stringBuilt, builtCard)
}

function createPayload<Row, Card>(
  size: Size,
  n: number,
  createRow: (row: number, n: number) => Row,
  createCard: (n: number, components: Row[]) => Card,
) {
  const components: Array<Row | Card> =
    size === 1
      ? [createRow(0, n)]
      : Array.from({ length: size / CARD_SIZE }, (_, index) =>
          createCard(
            n + index,
            Array.from({ length: CARD_SIZE }, (_, row) => createRow(row, n + index)),
          ),
        )
  return { version: '1.0.0', header: HEADER, components }
}

function literalCard<Row>(n: number, components: Row[]) {
  return { type: 'card' as const, header: { title: `Order ${n}` }, components }
}

function builtCard(n: number, components: ReturnType<typeof built>[]) {
  return card({ header: { title: `Order ${n}` }, components })
}

/** One text in two has a second line, which JSON has to escape. */
function formatPlan(n: number): string {
  return n % 2 === 0 ? `Enterprise, ${n} × seat, yearly` : `Enterprise\n${n} × seat, yearly`
}

function formatIcon(n: number): string {
  return `https://cdn.example.com/icons/${n}.png`
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0'))

/** Returns another date-time for each number, without a `Date`. */
function formatMoment(n: number): string {
  const [hours, minutes] = [TWO_DIGITS[n % 24], TWO_DIGITS[Math.trunc(n / 60) % 60]]
  return `2027-03-01T${hours}:${minutes}:${TWO_DIGITS[n % 60]}Z`
}

function literal(row: number, n: number) {
  switch (row) {
    case 0:
      return { type: 'text' as const, label: `Plan ${n}`, value: formatPlan(n) }
    case 1:
      return {
        type: 'badge' as const,
        label: `Status ${n}`,
        items: [
          { value: `Active ${n}`, color: 'green' as const },
          { value: `Net ${n}`, color: 'gray' as const },
        ],
      }
    case 2:
      return {
        type: 'date_time' as const,
        label: `Renews ${n}`,
        value: new Date(FIRST_RENEWAL_MS + n * 1_000).toISOString(),
      }
    case 3:
      return {
        type: 'link' as const,
        label: `Invoice ${n}`,
        url: `https://billing.example.com/invoices/${n}.pdf`,
      }
    default:
      return {
        type: 'button' as const,
        label: `Open ${n}`,
        button_type: 'link' as const,
        url: `https://admin.example.com/accounts/acc_${n}?tab=billing`,
      }
  }
}

function built(row: number, n: number) {
  switch (row) {
    case 0:
      return text({ label: `Plan ${n}`, value: formatPlan(n) })
    case 1:
      return badge({
        label: `Status ${n}`,
        items: [
          { value: `Active ${n}`, color: 'green' },
          { value: `Net ${n}`, color: 'gray' },
        ],
      })
    case 2:
      return dateTime({
        label: `Renews ${n}`,
        value: new Date(FIRST_RENEWAL_MS + n * 1_000).toISOString(),
      })
    case 3:
      return link({ label: `Invoice ${n}`, url: `https://billing.example.com/invoices/${n}.pdf` })
    default:
      return button({
        label: `Open ${n}`,
        url: `https://admin.example.com/accounts/acc_${n}?tab=billing`,
      })
  }
}

function stringLiteral(row: number, n: number) {
  const icon_url = formatIcon(n)
  switch (row) {
    case 0:
      return { type: 'text' as const, label: `Plan "${n}"`, value: `a\t${n}\n\\b`, icon_url }
    case 2:
      return {
        type: 'date_time' as const,
        label: `Renews ${n}`,
        value: formatMoment(n),
        icon_url,
      }
    default:
      return literal(row, n)
  }
}

function stringBuilt(row: number, n: number) {
  const icon_url = formatIcon(n)
  switch (row) {
    case 0:
      return text({ label: `Plan "${n}"`, value: `a\t${n}\n\\b`, icon_url })
    case 2:
      return dateTime({ label: `Renews ${n}`, value: formatMoment(n), icon_url })
    default:
      return built(row, n)
  }
}
