import {
  type Decimal,
  fromUnits,
  readDecimal,
  toUnits as scaleDecimal,
} from '../../builders/values/decimal-amount.ts'
import { type MajorUnits, money, readAmount } from '../../builders/values/money.ts'
import { minorDigits } from '../../builders/values/money-digits.ts'
import {
  invalidOption,
  isRecord,
  kind,
  number,
  oneOf,
  readOptions,
  required,
  withDefault,
} from '../../internal/read-options.ts'
import { type DecimalSeparator, readNumber, writeNumber } from './entered-number.ts'
import { checkRange, COMMON, type CommonOptions, createField, type Field } from './fields.ts'
import { type FieldResult, isOutside, type Optional } from './fields.ts'
import type { ActionMessages } from '../messages.ts'

interface DecimalOptions extends CommonOptions {
  /**
   * The separator before the decimals. Without it, the form rejects a number such as
   * `1.234` or `1,234`, which can mean 1234 or 1.234, unless the field has no decimals.
   */
  readonly decimal?: DecimalSeparator | undefined
}

/** Options of `numberField()`. */
export interface NumberFieldOptions extends DecimalOptions {
  /** The smallest number. */
  readonly min?: number | undefined
  /** The largest number. */
  readonly max?: number | undefined
  /** The distance between two allowed numbers, starting at `min` or 0. @default 1 */
  readonly step?: number | undefined
  /** The initial number. */
  readonly value?: number | undefined
}

/**
 * Options of `moneyField()`. Amounts are in minor units, such as cents, or in major units as
 * `{ major: '12.50' }`.
 */
export interface MoneyFieldOptions extends DecimalOptions {
  /** An ISO 4217 code with minor units, such as `EUR`. */
  readonly currency: string
  /** The smallest amount. @default one minor unit */
  readonly min?: number | MajorUnits | undefined
  /** The largest amount. */
  readonly max?: number | MajorUnits | undefined
  /** The initial amount. */
  readonly value?: number | MajorUnits | undefined
  /**
   * The unit of the value: a number of minor units, or a decimal string in major units,
   * such as `'12.50'`. @default 'minor'
   */
  readonly units?: 'minor' | 'major' | undefined
}

/** The type of an amount: a number of minor units, or a decimal string in major units. */
type AmountOf<O> = O extends { readonly units: 'major' } ? string : number

/**
 * Creates a number field, by default for whole numbers. Agents can type `0.5`, `0,5`
 * or `1 000`. The form rejects values that a JavaScript number would change, such as
 * an integer above 2^53. Use a text or a money field for such numbers.
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
    decimal: SEPARATOR,
  })
  checkRange('numberField', read.min, read.max)
  return createDecimalField<number, O>({ ...read, initial: read.value }, (units, scale, text) => {
    const value = Number(text)
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
 * Creates a field for an amount of money. The agent enters major units, such as
 * `10.50`, `10,50`, `1,234.56` or `10,50 €`. The value is in minor units (`1050` for
 * 10.50 EUR), as payment systems expect, or with `units: 'major'` a decimal string.
 *
 * @example
 * form: { amount: moneyField({ label: 'Amount', currency: 'EUR', max: { major: order.left } }) }
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#forms
 */
export function moneyField<const O extends MoneyFieldOptions>(
  options: O & MoneyFieldOptions,
): Field<Optional<AmountOf<O>, O>> {
  const read = readOptions('moneyField', options as MoneyFieldOptions, {
    ...COMMON,
    currency: required(CURRENCY),
    min: withDefault(AMOUNT, 1),
    max: AMOUNT,
    value: AMOUNT,
    units: withDefault(oneOf('minor', 'major'), 'minor'),
    decimal: SEPARATOR,
  })
  const currency = read.currency.toUpperCase()
  const digits = minorDigits(currency) ?? 0
  const unitsOf = (name: 'min' | 'max' | 'value') => {
    if (read[name] === undefined) return undefined
    const amount = readAmount(read[name], currency)
    if ('units' in amount && amount.units >= 0n) return amount.units
    const expected = `${AMOUNT.expected}, with at most ${digits} decimals`
    throw invalidOption('moneyField', name, expected)
  }
  const units = { min: unitsOf('min'), max: unitsOf('max'), initial: unitsOf('value') }
  if (options.min !== undefined) checkRange('moneyField', units.min, units.max)
  const inMajor = read.units === 'major'
  const show = (one: bigint | undefined) => (one === undefined ? one : fromUnits(one, digits))
  const limits = { min: show(units.min), max: show(units.max), initial: show(units.initial) }
  const label = `${read.label} (${currency})`
  const field = { ...read, ...limits, step: fromUnits(1n, digits), label, currency }
  return createDecimalField<string | number, O>(
    field,
    (entered, scale) => {
      const amount = entered / 10n ** BigInt(scale - digits)
      if (inMajor) return fromUnits(amount, digits)
      return Number.isSafeInteger(Number(amount)) ? Number(amount) : undefined
    },
    (value, { lang }) => money(inMajor ? { major: value } : Number(value), currency, lang),
  ) as Field<Optional<AmountOf<O>, O>>
}

const AMOUNT = kind<number | MajorUnits>(
  "an amount in minor units, or { major: '12.50' }",
  (value) => typeof value === 'number' || isRecord(value),
)
const CURRENCY = kind<string>(
  "an ISO 4217 code with minor units, such as 'EUR'",
  (value) => typeof value === 'string' && minorDigits(value.toUpperCase()) !== undefined,
)

const SEPARATOR = /* @__PURE__ */ oneOf<DecimalSeparator>('.', ',')

/** A number, or the text of a decimal with a point. */
type Limit = number | string

/** The options of a field for decimals. */
type DecimalField = Parameters<typeof createField>[0] &
  Readonly<Record<'min' | 'max' | 'initial', Limit | undefined>> & {
    readonly step: Limit
    readonly decimal: DecimalSeparator | undefined
    readonly currency?: string
  }

/**
 * Creates a field for decimals, which are compared exactly.
 *
 * @param convert returns the value of units of 10^-scale, or `undefined` if that
 * would change it
 */
function createDecimalField<V extends number | string, O>(
  { min, max, step, initial, decimal, currency, ...common }: DecimalField,
  convert: (units: bigint, scale: number, text: string) => V | undefined,
  format?: (value: V, messages: ActionMessages) => string,
): Field<Optional<V, O>> {
  const decimals = Math.max(toDecimal(min ?? 0).scale, toDecimal(step).scale)
  const show = (one?: Limit) => (one === undefined ? one : writeNumber(toText(one), decimal))
  const view = { control: 'decimal', initial: show(initial) ?? '' } as const
  const readText = (entered: string, messages: ActionMessages): FieldResult<V> => {
    const read = readNumber(entered, { currency, decimal, decimals }, messages)
    if ('problem' in read) return read
    const text = read.value
    const scale = Math.max(...[min ?? 0, max ?? 0, step, text].map((one) => toDecimal(one).scale))
    const [first, last] = [min, max].map((one) => (one === undefined ? one : toUnits(one, scale)))
    const units = toUnits(text, scale)
    if ((units - (first ?? 0n)) % toUnits(step, scale) !== 0n) {
      return { problem: messages.notAStep(writeNumber(toText(step), decimal)) }
    }
    if (isOutside(units, first, last)) {
      return { problem: messages.outOfRange(show(min), show(max)) }
    }
    const value = convert(units, scale, text)
    return value === undefined ? { problem: messages.tooPrecise } : { value }
  }
  return createField(common, view, readText, format)
}

/** Reads a number, or the text of one: always a decimal. */
function toDecimal(value: Limit): Decimal {
  return readDecimal(value) as Decimal
}

/**
 * Returns a decimal in units of 10^-scale. This is exact, because no decimal here
 * has more digits.
 */
function toUnits(value: Limit, scale: number): bigint {
  return scaleDecimal(toDecimal(value), scale) as bigint
}

/** Writes a number without an exponent. */
function toText(value: Limit): string {
  const { scale } = toDecimal(value)
  return fromUnits(toUnits(value, scale), scale)
}
