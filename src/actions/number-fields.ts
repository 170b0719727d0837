import { type Decimal, readDecimal, toMinorUnits } from '../builders/decimal-amount.ts'
import { minorDigits } from '../builders/money-digits.ts'
import {
  integer,
  kind,
  number,
  readOptions,
  required,
  withDefault,
} from '../internal/read-options.ts'
import { checkRange, COMMON, type CommonOptions, createField, type Field } from './fields.ts'
import { isOutside, type Optional } from './fields.ts'

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
 * Creates a number field, by default for whole numbers. It rejects values that a
 * JavaScript number would change, such as an integer above 2^53. Use a text or a
 * money field for those.
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
  const read = readOptions('numberField', options as NumberFieldOptions, {
    ...COMMON,
    min: number,
    max: number,
    step: withDefault(POSITIVE, 1),
    value: number,
  })
  checkRange('numberField', read.min, read.max)
  const [min, max, initial] = [read.min, read.max, read.value].map(toText)
  const view = { min, max, step: toText(read.step)!, initial: initial ?? '' }
  return createDecimalField(read, view, max, (units, scale, entered) => {
    const value = Number(entered)
    const isExact = units === toUnits(value, scale)
    const isSafe = Number.isSafeInteger(value) || !Number.isInteger(value)
    // Adding zero turns -0 into 0.
    return isExact && isSafe ? value + 0 : undefined
  })
}

const POSITIVE = kind<number>(
  'a positive number',
  (value) => Number.isFinite(value) && Number(value) > 0,
)

/**
 * Creates a field for an amount of money. The agent enters major units. The value
 * is in minor units (`1050` for 10.50 EUR), as payment systems expect.
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
  const read = readOptions('moneyField', options as MoneyFieldOptions, {
    ...COMMON,
    currency: required(CURRENCY),
    min: withDefault(AMOUNT, 0),
    max: AMOUNT,
    value: AMOUNT,
  })
  checkRange('moneyField', read.min, read.max)
  const currency = read.currency.toUpperCase()
  const digits = minorDigits(currency) ?? 0
  const show = (units: number | undefined) =>
    units === undefined ? undefined : toMajor(String(units), digits)
  const [min, max, initial] = [read.min, read.max, read.value].map(show)
  const view = { min, max, step: toMajor('1', digits), initial: initial ?? '' }
  const common = { ...read, label: `${read.label} (${currency})` }
  const limit = show(read.max ?? Number.MAX_SAFE_INTEGER)
  return createDecimalField(common, view, limit, (units, scale) =>
    Number(units / 10n ** BigInt(scale - digits)),
  )
}

const AMOUNT = integer(0, Number.MAX_SAFE_INTEGER, ' (minor units)')
const CURRENCY = kind<string>(
  "an ISO 4217 code with minor units, such as 'EUR'",
  (value) => typeof value === 'string' && minorDigits(value.toUpperCase()) !== undefined,
)

/** The maximum number of decimal places, which is more than an agent enters. */
const MAX_SCALE = 10

/** The number that an agent enters: digits and a point, without an exponent. */
const ENTERED = /^[+-]?(?:\d{1,20}(?:\.\d{0,10})?|\.\d{1,10})$/

/**
 * Creates a field for decimals, which are compared exactly.
 *
 * @param max the largest value, which the view may omit
 * @param convert returns the value of units of 10^-scale, or `undefined` if that
 * would change it
 */
function createDecimalField<O>(
  common: Parameters<typeof createField>[0],
  view: Readonly<Record<'min', string | undefined>> & Readonly<Record<'step' | 'initial', string>>,
  max: string | undefined,
  convert: (units: bigint, scale: number, entered: string) => number | undefined,
): Field<Optional<number, O>> {
  const { min, step } = view
  const scale = Math.max(MAX_SCALE, ...[min ?? 0, max ?? 0, step].map((one) => read(one).scale))
  const [first, last] = [min, max].map((limit) => limit && toUnits(limit, scale)) as bigint[]
  return createField(common, { control: 'number', ...view }, (entered, messages) => {
    if (!ENTERED.test(entered)) return { problem: messages.notANumber }
    const units = toUnits(entered, scale)
    if (isOutside(units, first, last)) return { problem: messages.outOfRange(min, max) }
    const value = convert(units, scale, entered)
    if (value === undefined) return { problem: messages.tooPrecise }
    if ((units - (first ?? 0n)) % toUnits(step, scale) !== 0n) {
      return { problem: messages.notAStep(step) }
    }
    return { value }
  })
}

/** Reads a number, or the text of one: always a decimal. */
function read(value: number | string): Decimal {
  return readDecimal(value) as Decimal
}

/**
 * Returns a decimal in units of 10^-scale. This is exact, because no decimal here
 * has more digits.
 */
function toUnits(value: number | string, scale: number): bigint {
  return toMinorUnits(read(value), scale) as bigint
}

/** Writes a number without an exponent, as an input of a form expects it. */
function toText(value: number | undefined): string | undefined {
  if (value === undefined) return undefined
  const { isNegative, digits, scale } = read(value)
  return (isNegative ? '-' : '') + toMajor(digits, scale)
}

/** Writes minor units as major units. */
function toMajor(units: string, digits: number): string {
  const padded = units.padStart(digits + 1, '0')
  const point = padded.length - digits
  return padded.slice(0, point) + (digits > 0 ? `.${padded.slice(point)}` : '')
}
