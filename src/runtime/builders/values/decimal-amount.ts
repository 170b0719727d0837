import { describeType } from '../../contract/explain.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import { isArray } from '../../internal/hostile-values.ts'
import { callUserCode, consumeRejections } from '../../internal/user-code.ts'
import { argumentIssue } from '../components/invalid-component-error.ts'

/**
 * An amount as a decimal: its digits without the point, and the number of digits
 * after the point.
 */
export interface Decimal {
  readonly isNegative: boolean
  readonly digits: string
  readonly scale: number
}

/** The maximum length of a text that can be an amount. */
const MAX_LENGTH = 400

const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i

/**
 * Reads an amount in major units, exactly: a decimal string, a number, a bigint or
 * an object whose `toString()` returns a decimal.
 */
export function readDecimal(value: unknown): Decimal | PayloadIssue {
  const text = toText(value)
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    text === undefined || text.length > MAX_LENGTH ? [] : (DECIMAL.exec(text) ?? [])
  if (sign === undefined || whole + fraction === '') return decimalIssue(value)
  // JavaScript writes very large and very small numbers with an exponent.
  const scale = fraction.length - Number(exponent)
  const digits = whole + fraction
  return {
    isNegative: sign === '-',
    digits: scale < 0 ? digits + '0'.repeat(-scale) : digits,
    scale: Math.max(0, scale),
  }
}

/**
 * Returns a decimal in units of 10^-scale; `undefined` if it has more decimals. Zeros do
 * not count.
 */
export function toUnits(
  { isNegative, digits, scale: decimals }: Decimal,
  scale: number,
): bigint | undefined {
  const padded = digits.padStart(decimals + 1, '0')
  const point = padded.length - decimals
  const fraction = padded.slice(point).replace(/0+$/, '')
  if (fraction.length > scale) return undefined
  const units = BigInt(padded.slice(0, point) + fraction.padEnd(scale, '0'))
  return isNegative ? -units : units
}

/** Writes units of 10^-scale as a decimal. */
export function fromUnits(units: bigint, scale: number): string {
  if (scale === 0) return String(units)
  const sign = units < 0n ? '-' : ''
  const text = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  return `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || isArray(value)) return undefined
  const text = callUserCode(() => (value as { toString(): unknown }).toString())
  if (typeof text === 'string') return text
  consumeRejections(text)
  return undefined
}

function decimalIssue(value: unknown): PayloadIssue {
  const isAbsent = value === null || value === undefined || Number.isNaN(value)
  const fix = isAbsent
    ? 'Leave the amount out if it is not known.'
    : "Pass a decimal with a point and without separators, such as '4990.00'."
  const message =
    typeof value === 'string' ? 'is not a decimal' : `is ${describeType(value)}, expected a decimal`
  return argumentIssue('major', value, message, fix)
}
