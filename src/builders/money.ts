import { describeType } from '../contract/explain.ts'
import { type LocaleSource, numberFormat } from './intl-format.ts'
import { throwInvalidArgument } from './invalid-argument.ts'
import { minorDigits } from './money-digits.ts'

const SOURCE: LocaleSource = { builder: money, name: 'money', path: 'locale' }

/**
 * Formats an amount of money for a text component: `money(1999, 'EUR')` is `€19.99`.
 *
 * The amount is in minor units (cents) and exact at any size. The number of
 * minor digits is that of ISO 4217 (JPY 0, EUR 2, KWD 3), even if the runtime's
 * own table differs (HUF, IDR, IQD).
 *
 * @param minorUnits a whole number; pass a `bigint` above 2^53
 * @param currency the ISO 4217 code, in any case
 * @param locale a BCP 47 tag. @default 'en'
 * @throws {InvalidComponentError} `invalid_component`: NaN, an infinity, a
 * fraction, an unknown currency or an invalid locale
 *
 * @example text({ label: 'MRR', value: money(account.mrrCents, 'EUR') })
 *
 * @see docs/guides/values.md#money
 */
export function money(minorUnits: number | bigint, currency: string, locale?: string): string {
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  const digits = minorDigits(code)
  if (digits === undefined) {
    return throwInvalidArgument(money, 'money', [
      {
        path: 'currency',
        message: 'is not a currency of ISO 4217 with minor units',
        fix: "Pass a code of three letters, such as 'EUR'.",
      },
    ])
  }
  const format = numberFormat(SOURCE, locale, {
    style: 'currency',
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // Text, because a number would lose the last digits of a large amount.
  return format.format(toDecimal(wholeUnits(minorUnits), digits) as `${number}`)
}

function wholeUnits(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  return throwInvalidArgument(money, 'money', [{ path: 'minorUnits', ...describe(value) }])
}

function describe(value: unknown): { message: string; fix: string } {
  const isNumber = typeof value === 'number'
  if (isNumber && Number.isFinite(value)) {
    return {
      message: 'is a fraction, expected whole minor units',
      fix: 'Pass 1999 for 19.99, and round a computed amount with Math.round().',
    }
  }
  const kind = isNumber && !Number.isNaN(value) ? 'infinite' : describeType(value)
  return {
    message: `is ${kind}, expected a number or a bigint`,
    fix:
      typeof value === 'string'
        ? 'Convert it with BigInt(value).'
        : 'Leave the amount out if it is not known.',
  }
}

function toDecimal(units: bigint, digits: number): string {
  if (digits === 0) return String(units)
  const sign = units < 0n ? '-' : ''
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
