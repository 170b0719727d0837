import { numberFormat } from '../../builders/values/intl-format.ts'
import type { ActionMessages } from '../messages.ts'
import type { FieldResult } from './fields.ts'

/** The separators that a field can have before its decimals. */
export type DecimalSeparator = '.' | ','

/** What a field accepts. */
export interface NumberRules {
  /** An ISO 4217 code in uppercase. The code or the symbol may be before or after the number. */
  readonly currency?: string | undefined
  readonly decimal: DecimalSeparator | undefined
  /** How many decimals a number of the field has. */
  readonly decimals: number
}

/** More characters than any number that an agent types or pastes. */
const MAX_LENGTH = 100

/**
 * Reads a number as people in any country type it, and as `Intl` prints it. Returns a decimal
 * such as `-1234.5`. A number such as `1.234` can mean 1234 or 1.234, so it is a problem unless
 * the field has one reading.
 */
export function readNumber(
  entered: string,
  { currency, decimal, decimals }: NumberRules,
  messages: ActionMessages,
): FieldResult<string> {
  const notANumber = { problem: messages.notANumber }
  const text = entered.length > MAX_LENGTH ? '' : normalize(entered)
  const [, before = '', number, after = ''] = /^(\D*)(\d(?:.*\d)?)(\D*)$/.exec(text) ?? []
  if (number === undefined) return notANumber
  const start = before.replaceAll(' ', '')
  const around = [start.replace(/^[+-]|[+-]$/, ''), after.replaceAll(' ', '')].filter(Boolean)
  if (!around.every((part) => currency !== undefined && isCurrency(part, currency))) {
    const hasCurrency = currency !== undefined && /[\p{L}\p{Sc}]/u.test(around.join(''))
    return hasCurrency ? { problem: messages.wrongCurrency(currency) } : notANumber
  }
  const sign = start.includes('-') ? '-' : ''
  const whole = removeGroups(number)
  const [, head = '', separator = '', fraction] = /^(.*)([.,٫])(\d+)$/.exec(number) ?? []
  const isDecimal = separator !== '' && !head.includes(separator)
  const units = isDecimal ? removeGroups(head) : undefined
  if (whole === undefined && units === undefined) return notANumber
  const asDecimal = `${sign}${units}.${fraction}`
  if (units === undefined) return { value: sign + whole }
  if (whole === undefined) return { value: asDecimal }
  if (decimal !== undefined) return { value: separator === decimal ? asDecimal : sign + whole }
  if (decimals === 0) return { value: sign + whole }
  const grouped = `${asDecimal.replace('.', ',')}.${'0'.repeat(decimals)}`
  const shown = asDecimal.replace('.', separator)
  return { problem: messages.ambiguousNumber(shown, grouped, asDecimal) }
}

/**
 * Writes a decimal for a field, so that `readNumber` has one reading of it.
 *
 * @param separator the separator of the field, if it has one
 */
export function writeNumber(decimal: string, separator: DecimalSeparator | undefined): string {
  return separator === undefined
    ? decimal.replace(/^-?[1-9]\d{0,2}\.\d{3}$/, '$&0')
    : decimal.replace('.', separator)
}

/** Replaces the variants of each character, and removes the marks of text direction. */
function normalize(text: string): string {
  return (
    text
      .replaceAll(/[\u061c\u200e\u200f\u202a-\u202d\u2066-\u2069]/g, '')
      .replaceAll(/\p{Nd}/gu, toAsciiDigit)
      // The fullwidth plus, comma, minus and point of East Asian keyboards.
      .replaceAll(/[\uff0b-\uff0e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
      .replaceAll('\u2212', '-')
      .replaceAll(/\p{Zs}/gu, ' ')
      .replaceAll(/[\u2018\u2019]/g, "'")
      .trim()
      .toUpperCase()
      // A group never begins with a zero, so that `.500` stays a fraction.
      .replace(/(?<=^[+-]?)(?=[.,٫]\d)/, '0')
  )
}

/** In Unicode, the digits of each script follow each other, from 0 to 9. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value % 10)
}

/** Groups of three digits, or those of India: 12,34,567. */
const GROUPED = /^(?:[1-9]\d{0,2}([.,' ٬])(?:\d{3}\1)*|[1-9]\d?([.,' ٬])(?:\d\d\2)+)\d{3}$/

/** Returns the digits of a whole number, or `undefined` if its groups are not valid. */
function removeGroups(text: string): string | undefined {
  return /^\d+$/.test(text) || GROUPED.test(text) ? text.replaceAll(/\D/g, '') : undefined
}

/** Returns whether a text is the code of a currency, or its symbol in one of four locales. */
function isCurrency(text: string, currency: string): boolean {
  if (text === currency) return true
  // A code begins with its country, where people use the shortest symbol.
  const home = new Intl.Locale(`und-${currency.slice(0, 2)}`).maximize().toString()
  return ['en', 'en-CA', 'fr', home].some((locale) =>
    (['symbol', 'narrowSymbol'] as const).some((currencyDisplay) => {
      const options = { style: 'currency', currency, currencyDisplay } as const
      const parts = numberFormat(locale, `${currencyDisplay} ${currency}`, options)?.formatToParts(
        0,
      )
      const symbol = parts?.find(({ type }) => type === 'currency')?.value
      return symbol !== undefined && normalize(symbol).replaceAll(' ', '') === text
    }),
  )
}
