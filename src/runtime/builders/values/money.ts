import { describeType } from '../../contract/explain.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import { isThenable, readProperty } from '../../internal/hostile-values.ts'
import { callUserCode } from '../../internal/user-code.ts'
import { fromUnits, readDecimal, toUnits } from './decimal-amount.ts'
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
  const fail = (issue: PayloadIssue) =>
    throwInvalid(money, 'money', [issue], [amount, currency, locale])
  const read = readAmount(amount, currency)
  if (!('units' in read)) return fail(read)
  const { units, code, digits } = read
  const format = numberFormat(locale, code, {
    style: 'currency',
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  if (format === undefined) return fail(argumentIssue('locale', locale, ...LOCALE_PROBLEM))
  // The amount is a string, because a number would lose the last digits of a large amount.
  return format.format(fromUnits(units, digits) as `${number}`)
}

/**
 * Returns an amount in major units as a whole number of minor units:
 * `toMinorUnits('10.50', 'EUR')` is 1050. It is exact, or throws.
 *
 * @param amount a decimal as `{ major }` of `money()` accepts it
 * @param currency the ISO 4217 code, in any case
 * @throws {InvalidComponentError} `invalid_component`: not a decimal, a fraction of a
 * minor unit, an unknown currency, or an amount that a number cannot represent exactly
 *
 * @example const amount = toMinorUnits(order.total, 'EUR')
 *
 * @see docs/guides/values.md#money
 */
export function toMinorUnits(amount: MajorUnits['major'], currency: string): number {
  const args = [amount, currency]
  const read = readAmount({ major: amount }, currency)
  if (!('units' in read)) return throwInvalid(toMinorUnits, 'toMinorUnits', [read], args)
  const units = Number(read.units)
  if (Number.isSafeInteger(units)) return units
  const message = 'has more minor units than a number can represent exactly'
  const issue = argumentIssue('major', amount, message, 'Keep the amount as a decimal string.')
  return throwInvalid(toMinorUnits, 'toMinorUnits', [issue], args)
}

/**
 * Returns an amount in minor units as a decimal in major units:
 * `toMajorUnits(1050, 'EUR')` is `'10.50'`.
 *
 * @param amount a whole number of minor units
 * @param currency the ISO 4217 code, in any case
 * @throws {InvalidComponentError} `invalid_component`: not a whole number, a number that
 * JavaScript cannot represent exactly, or an unknown currency
 *
 * @example await db.query('UPDATE orders SET refunded = $1', [toMajorUnits(amount, 'EUR')])
 *
 * @see docs/guides/values.md#money
 */
export function toMajorUnits(amount: number | bigint, currency: string): string {
  const read = readAmount(amount, currency)
  if ('units' in read) return fromUnits(read.units, read.digits)
  return throwInvalid(toMajorUnits, 'toMajorUnits', [read], [amount, currency])
}

/** An amount in minor units, and its currency with the number of its minor digits. */
interface Amount {
  readonly units: bigint
  readonly code: string
  readonly digits: number
}

/** Reads an amount in minor or major units. The amount is checked before its currency. */
export function readAmount(amount: unknown, currency: unknown): Amount | PayloadIssue {
  const decimal = readDecimalAmount(amount)
  if ('code' in decimal) return decimal
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  const digits = minorDigits(code)
  if (digits === undefined) {
    const message = 'is not a currency of ISO 4217 with minor units'
    const fix = "Pass a three-letter code, such as 'EUR'."
    return argumentIssue('currency', currency, message, fix)
  }
  const units = 'units' in decimal ? decimal.units : toUnits(decimal, digits)
  if (units !== undefined) return { units, code, digits }
  const message = `has more than ${digits} decimal digits, the maximum of this currency`
  return argumentIssue('major', amount, message, 'Round it where it is computed.')
}

function readDecimalAmount(amount: unknown) {
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
