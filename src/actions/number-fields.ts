import { type Decimal, readDecimal, toMinorUnits } from '../builders/decimal-amount.ts'
import { minorDigits } from '../builders/money-digits.ts'
import { integer, kind, number, readOptions, required } from '../internal/read-options.ts'
import type { CommonOptions, Field, FieldResult, Optional } from './fields.ts'
import { checkRange, COMMON, readEmpty } from './fields.ts'

/** Options of `numberField()`. */
export interface NumberFieldOptions extends CommonOptions {
  /** The smallest number. */
  readonly min?: number | undefined
  /** The largest number. */
  readonly max?: number | undefined
  /** The distance between two allowed numbers, starting at `min` or 0. @default 1 */
  readonly step?: number | undefined
  /** The initial number. */
  readonly value?: number | undefined
}

/** Options of `moneyField()`. Amounts are in minor units, such as cents. */
export interface MoneyFieldOptions extends CommonOptions {
  /** An ISO 4217 code with minor units, such as `EUR`. */
  readonly currency: string
  /** The smallest amount, in minor units. @default 0 */
  readonly min?: number | undefined
  /** The largest amount, in minor units. */
  readonly max?: number | undefined
  /** The initial amount, in minor units. */
  readonly value?: number | undefined
}

/**
 * Creates a number field, by default for whole numbers. It rejects what a JavaScript number
 * would change, such as an integer above 2^53: use a text or a money field for those.
 *
 * @example
 * form: { days: numberField({ label: 'Days', min: 1, max: 30, value: 14 }) }
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#forms
 */
export function numberField<const O extends NumberFieldOptions>(
  options: O & NumberFieldOptions,
): Field<Optional<number, O>> {
  const read = readOptions<NumberFieldOptions, NumberKinds>('numberField', options, NUMBER_KINDS)
  const { label, hint, optional = false, min, max, step = 1, value } = read
  checkRange('numberField', min, max)
  const shown = { min: toText(min), max: toText(max), step: toText(step) }
  return {
    view: { control: 'number', label, hint, optional, initial: toText(value) ?? '', ...shown },
    read(entered, messages): FieldResult<Optional<number, O>> {
      if (entered.trim() === '') return readEmpty(optional, messages)
      const found = readEntered(entered)
      if (found === undefined) return { problem: messages.notANumber }
      const scale = Math.max(MAX_SCALE, ...[min, max, step].map(scaleOf))
      const of = (limit: number) => toUnits(readNumber(limit), scale)
      const units = toUnits(found, scale)
      if ((min !== undefined && units < of(min)) || (max !== undefined && units > of(max))) {
        return { problem: messages.outOfRange(shown.min, shown.max) }
      }
      const parsed = Number(entered.trim())
      const isExact = units === toUnits(readNumber(parsed), scale)
      const isSafe = Number.isSafeInteger(parsed) || !Number.isInteger(parsed)
      if (!isExact || !isSafe) return { problem: messages.tooPrecise }
      if ((units - of(min ?? 0)) % of(step) !== 0n) {
        return { problem: messages.notAStep(shown.step ?? '1') }
      }
      // "-0" is 0.
      return { value: parsed + 0 }
    },
  }
}

/** More decimals than an agent enters. */
const MAX_SCALE = 10

const NUMBER_KINDS = {
  ...COMMON,
  min: number,
  max: number,
  step: kind<number>('a positive number', (value) => Number.isFinite(value) && Number(value) > 0),
  value: number,
}
type NumberKinds = typeof NUMBER_KINDS

/**
 * Creates a field for an amount of money. The agent enters it in major units; its value is in
 * minor units (`1050` for 10.50 EUR), as payment systems expect it.
 *
 * @example
 * form: { amount: moneyField({ label: 'Amount', currency: 'EUR', min: 1, max: order.leftCents }) }
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#forms
 */
export function moneyField<const O extends MoneyFieldOptions>(
  options: O & MoneyFieldOptions,
): Field<Optional<number, O>> {
  const read = readOptions<MoneyFieldOptions, MoneyKinds>('moneyField', options, MONEY_KINDS)
  const { hint, optional = false, min = 0, max, value } = read
  checkRange('moneyField', min, max)
  const currency = read.currency.toUpperCase()
  const digits = minorDigits(currency) ?? 0
  const show = (units: number | undefined) =>
    units === undefined ? undefined : toMajor(units, digits)
  const shown = { min: show(min), max: show(max), step: toMajor(1, digits) }
  const label = `${read.label} (${currency})`
  return {
    view: { control: 'number', label, hint, optional, initial: show(value) ?? '', ...shown },
    read(entered, messages): FieldResult<Optional<number, O>> {
      if (entered.trim() === '') return readEmpty(optional, messages)
      const found = readEntered(entered)
      if (found === undefined) return { problem: messages.notANumber }
      const units = toMinorUnits(found, digits)
      if (units === undefined) return { problem: messages.notAStep(shown.step) }
      const limit = max ?? Number.MAX_SAFE_INTEGER
      if (units < min || units > limit) {
        return { problem: messages.outOfRange(shown.min, toMajor(limit, digits)) }
      }
      return { value: Number(units) }
    },
  }
}

const AMOUNT = integer(0, Number.MAX_SAFE_INTEGER, ' (minor units)')
const MONEY_KINDS = {
  ...COMMON,
  currency: required(
    kind<string>(
      "an ISO 4217 code with minor units, such as 'EUR'",
      (value) => typeof value === 'string' && minorDigits(value.toUpperCase()) !== undefined,
    ),
  ),
  min: AMOUNT,
  max: AMOUNT,
  value: AMOUNT,
}
type MoneyKinds = typeof MONEY_KINDS

/** Reads what an agent entered: digits and a point, no exponent. */
function readEntered(entered: string): Decimal | undefined {
  const found = entered.trim()
  if (!/^[+-]?(?:\d{1,20}(?:\.\d{0,10})?|\.\d{1,10})$/.test(found)) return undefined
  return readNumber(found)
}

/** A number, or the text of one: always a decimal. */
function readNumber(value: number | string): Decimal {
  return readDecimal(value) as Decimal
}

function scaleOf(value: number | undefined): number {
  return value === undefined ? 0 : readNumber(value).scale
}

/** Returns a decimal in units of 10^-scale, exactly. */
function toUnits({ isNegative, digits, scale }: Decimal, to: number): bigint {
  const units = BigInt(digits + '0'.repeat(to - scale))
  return isNegative ? -units : units
}

/** Writes a number without an exponent, as an input of a form expects it. */
function toText(value: number | undefined): string | undefined {
  if (value === undefined) return undefined
  const { isNegative, digits, scale } = readNumber(value)
  return (isNegative ? '-' : '') + toMajor(digits, scale)
}

/** Writes minor units as major units. */
function toMajor(units: number | string, digits: number): string {
  const padded = String(units).padStart(digits + 1, '0')
  const point = padded.length - digits
  return padded.slice(0, point) + (digits > 0 ? `.${padded.slice(point)}` : '')
}
