import { describeType } from '../../contract/explain.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import { isThenable, readProperty } from '../../internal/hostile-values.ts'
import { callUserCode } from '../../internal/user-code.ts'
import { type Decimal, readDecimal, toMinorUnits } from './decimal-amount.ts'
import { findInexactNumber } from '../inexact-number.ts'
import { LOCALE_PROBLEM, numberFormat } from './intl-format.ts'
import { argumentIssue, throwInvalid } from '../components/invalid-component-error.ts'
import { minorDigits } from './money-digits.ts'

/** An amount in major units, such as euros. */
export interface MajorUnits {
  /** A decimal string (`NUMERIC` of PostgreSQL), a number, or an object whose `toString()` returns a decimal (`Decimal` of Prisma). */
  readonly major: string | number | bigint | { toString(): string }
}

/**
 * Formats an amount of money for a text component: `money(1999, 'EUR')` and
 * `money({ major: '19.99' }, 'EUR')` are `€19.99`.
 *
 * The amount is in minor units (cents), or in major units as `{ major }`. It is
 * exact at any size. The number of minor digits is that of ISO 4217 (JPY 0, EUR 2,
 * KWD 3), even if the runtime's own table differs (HUF, IDR, IQD). The text
 * contains no-break spaces where the locale has spaces.
 *
 * @param amount a whole number of minor units, or `{ major }`
 * @param currency the ISO 4217 code, in any case
 * @param locale a BCP 47 tag. @default 'en'
 * @throws {InvalidComponentError} `invalid_component`: NaN, an infinity, a whole
 * number that JavaScript cannot represent exactly, a fraction of a minor unit, text
 * that is not a decimal, an unknown currency or an invalid locale
 *
 * @example text({ label: 'MRR', value: money({ major: account.mrr }, 'EUR') })
 *
 * @see docs/guides/values.md#money
 */
export function money(
  amount: number | bigint | MajorUnits,
  currency: string,
  locale = 'en',
): string {
  const decimal = readAmount(amount)
  const fail = (issue: PayloadIssue) =>
    throwInvalid(money, 'money', [issue], [amount, currency, locale])
  if ('code' in decimal) return fail(decimal)
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  const digits = minorDigits(code)
  if (digits === undefined) {
    const message = 'is not a currency of ISO 4217 with minor units'
    const fix = "Pass a three-letter code, such as 'EUR'."
    return fail(argumentIssue('currency', currency, message, fix))
  }
  const units = 'units' in decimal ? decimal.units : toMinorUnits(decimal, digits)
  if (units === undefined) {
    const message = `has more than ${digits} decimal digits, the maximum of this currency`
    return fail(argumentIssue('major', amount, message, 'Round it where it is computed.'))
  }
  const format = numberFormat(locale, code, {
    style: 'currency',
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  if (format === undefined) return fail(argumentIssue('locale', locale, ...LOCALE_PROBLEM))
  // The amount is a string, because a number would lose the last digits of a large amount.
  return format.format(toDecimal(units, digits) as `${number}`)
}

function readAmount(amount: unknown): { readonly units: bigint } | Decimal | PayloadIssue {
  if (typeof amount === 'bigint') return { units: amount }
  const inexact = findInexactNumber('amount', amount, ', and pass BigInt(value)')
  if (inexact !== undefined) return inexact
  if (Number.isInteger(amount)) return { units: BigInt(amount as number) }
  if (typeof amount !== 'object' || amount === null || isThenable(amount))
    return amountIssue(amount)
  const hasMajor = callUserCode(() => 'major' in amount) === true
  if (!hasMajor) return amountIssue(amount)
  const major = readProperty(amount, 'major')
  return findInexactNumber('major', major) ?? readDecimal(major)
}

/**
 * Returns the issue of an invalid amount. Its fix never suggests a conversion,
 * which could change the amount.
 */
function amountIssue(value: unknown): PayloadIssue {
  const message =
    typeof value !== 'number' || Number.isNaN(value)
      ? `is ${describeType(value)}, expected minor units or { major }`
      : Number.isFinite(value)
        ? 'is a fraction, expected whole minor units or { major }'
        : 'is infinite, expected minor units or { major }'
  const isAbsent =
    value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value))
  const fix = isAbsent
    ? 'Leave the amount out if it is not known.'
    : "Pass whole minor units (1999 for 19.99), or the amount in major units: { major: '19.99' }."
  return argumentIssue('amount', value, message, fix)
}

function toDecimal(units: bigint, digits: number): string {
  if (digits === 0) return String(units)
  const sign = units < 0n ? '-' : ''
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
