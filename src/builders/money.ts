import { describeType } from '../contract/explain.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import { LOCALE_PROBLEM, numberFormat } from './intl-format.ts'
import { argumentIssue, throwInvalid } from './invalid-component-error.ts'
import { minorDigits } from './money-digits.ts'

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
export function money(minorUnits: number | bigint, currency: string, locale = 'en'): string {
  const fail = (issue: PayloadIssue) =>
    throwInvalid(money, 'money', [issue], [minorUnits, currency, locale])
  const units = toWholeUnits(minorUnits)
  if (units === undefined) return fail(amountIssue(minorUnits))
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  const digits = minorDigits(code)
  if (digits === undefined) {
    const message = 'is not a currency of ISO 4217 with minor units'
    const fix = "Pass a code of three letters, such as 'EUR'."
    return fail(argumentIssue('currency', currency, message, fix))
  }
  const format = numberFormat(locale, code, {
    style: 'currency',
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  if (format === undefined) return fail(argumentIssue('locale', locale, ...LOCALE_PROBLEM))
  // Text, because a number would lose the last digits of a large amount.
  return format.format(toDecimal(units, digits) as `${number}`)
}

function toWholeUnits(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return Number.isInteger(value) ? BigInt(value as number) : undefined
}

/** The fix never names a conversion: it could change the amount. */
function amountIssue(value: unknown): PayloadIssue {
  const message =
    typeof value !== 'number' || Number.isNaN(value)
      ? `is ${describeType(value)}, expected a number or a bigint`
      : Number.isFinite(value)
        ? 'is a fraction, expected whole minor units'
        : 'is infinite, expected a number or a bigint'
  const fix =
    typeof value === 'number' || typeof value === 'string'
      ? 'Pass whole minor units: 1999 for 19.99.'
      : 'Leave the amount out if it is not known.'
  return argumentIssue('minorUnits', value, message, fix)
}

function toDecimal(units: bigint, digits: number): string {
  if (digits === 0) return String(units)
  const sign = units < 0n ? '-' : ''
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
