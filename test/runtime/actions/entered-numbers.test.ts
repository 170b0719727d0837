import fc from 'fast-check'
import { moneyField, numberField } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'

/** They have eight kinds of digits and every separator that `Intl` prints. */
const LOCALES =
  `af am ar ar-AE ar-EG ar-MA ar-SA as az be bg bn bs ca ckb cs cy da de de-AT de-CH de-LI dz el en
  en-CA en-GB en-IN en-ZA es es-AR es-CR es-MX et eu fa ff-Adlm fi fil fr fr-CA fr-CH ga gl gsw gu
  he hi hr hu hy id is it it-CH ja ka kk km ko lt lv mk ml mr ms my nb ne nl pl pt pt-PT ps ro ru
  sat`.split(/\s+/)
const CURRENCIES = 'EUR2 USD2 JPY0 KWD3 INR2 CHF2 HUF2 TND3 BRL2'.split(' ')

/** Writes a number of units as a decimal. */
function toDecimal(units: number, digits: number): string {
  const text = String(Math.abs(units)).padStart(digits + 1, '0')
  const point = text.length - digits
  const sign = units < 0 ? '-' : ''
  return sign + text.slice(0, point) + (digits === 0 ? '' : `.${text.slice(point)}`)
}

/** Creates the formats of `Intl` that print all decimals of a currency, or the fewest. */
function createFormats(locale: string, currency: string, digits: number): Intl.NumberFormat[] {
  const all = { minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  const money = { ...all, style: 'currency', currency } as const
  return [
    all,
    { maximumFractionDigits: digits } as const,
    money,
    { ...money, currencyDisplay: 'narrowSymbol' } as const,
    { ...money, currencyDisplay: 'code', currencySign: 'accounting' } as const,
  ].map((options) => new Intl.NumberFormat(locale, options))
}

test('reads every amount that Intl prints in 77 locales as the same amount, or rejects it', () => {
  expect(new Set(LOCALES).size).toBe(77)
  let printed = 0
  let accepted = 0
  const wrong: unknown[] = []
  for (const locale of LOCALES) {
    for (const code of CURRENCIES) {
      const [currency, digits] = [code.slice(0, 3), Number(code.slice(3))]
      const money = moneyField({ label: 'Amount', currency, min: 0 })
      const number = numberField({ label: 'Change', step: 10 ** -digits })
      const largest = 10 ** (12 + digits)
      const amounts = [0, 1, 99, 1_000, 1_050, 12_345, 123_400, 1_234_567, largest / 7, largest - 1]
      for (const [at, format] of createFormats(locale, currency, digits).entries()) {
        const print = (units: number) => format.format(toDecimal(units, digits) as `${number}`)
        for (const units of [...amounts.map(Math.floor), largest]) {
          const text = print(units)
          const result = money.read(text, messages)
          printed += 1
          if ('value' in result) accepted += 1
          if ('value' in result && result.value !== units) wrong.push([locale, text, result])
        }
        const minus = print(-1_050)
        const change = number.read(minus, messages)
        if ('value' in money.read(minus, messages)) wrong.push([locale, minus])
        const isRead = 'value' in change && change.value === Number(toDecimal(-1_050, digits))
        if (at < 2 ? 'value' in change && !isRead : 'value' in change) wrong.push([locale, minus])
      }
    }
  }
  expect(wrong).toEqual([])
  expect(accepted / printed).toBeGreaterThan(0.9)
})

const AMBIGUOUS = '1.234 can mean 1,234.00 or 1.234. Enter 1,234.00 or 1.2340.'

type Read = number | string

/** Returns the value that a field reads, or its problem. */
function read(field: { read: (entered: string, texts: typeof messages) => any }, entered: string) {
  const { value, problem } = field.read(entered, messages)
  return problem ?? value
}

const TOO_SMALL = messages.outOfRange('0.01', undefined)

/** Amounts as agents type them, by the cents or the problem that a field for EUR reads. */
const TYPED: readonly (readonly [number | string, ...string[]])[] = [
  [1_050, '10,50', '10.50', '10,5', '10,50 €', '€ 10.50 EUR', 'eur 10.50', '10.5000'],
  [1_050, '\u202d10.50\u202c'],
  [1_000, '10', '+10', '€10'],
  [700, '007'],
  [50, '.5', ',500', '0.500'],
  [123_456, '1.234,56', '1,234.56'],
  [123_450, '1.234,5', "1'234.50", '1’234,50', '١٬٢٣٤٫٥٠'],
  [123_400, '1,234.000'],
  [123_456_700, '1.234.567'],
  [123_456_789, '12,34,567.89'],
  [123_456_780, '1\u00a0234\u202f567,8'],
  [100_000, '1 000', '1\u2009000'],
  [1_250, '１２．５０', '१२.५०'],
  [100_000_000_000_000, '1000000000000'],
  [9_007_199_254_740_991, '90071992547409.91'],
  [AMBIGUOUS, '1.234', '€1.234'],
  [AMBIGUOUS.replace('1.234', '1,234'), '1,234', '١,٢٣٤'],
  ['-1.234 can mean -1,234.00 or -1.234. Enter -1,234.00 or -1.2340.', '-1.234'],
  [messages.ambiguousNumber('10.505', '10,505.00', '10.505'), '10.505'],
  [TOO_SMALL, '0', '-5', '−0,01', '€-5'],
  [messages.tooPrecise, '90071992547409.92', '99999999999999999999'],
  [messages.notAStep('0.01'), '0.001', '1234.567', '1.0050'],
  [messages.wrongCurrency('EUR'), '$10', '10 USD', '10 x'],
  [messages.notANumber, '5.', '1,2,3', '1..5', '1.,5', '--5', '+-5', '5-', '(5)', '1e3', '0x10'],
  [messages.notANumber, '10-20', '€', '-', '1,23,456,789', '1.234 567', '1,234.567.890'],
  [messages.notANumber, '1 234.567,8', '0,123,456', '1234,567,890', '10 50', '1  000', "1'00"],
  [messages.notANumber, '10,-', '10²', '½', '1%', '\u202e10.50', '10\u200b50', '5\n5', 'ten'],
  [messages.notANumber, '1'.repeat(101)],
]

test.each(TYPED.flatMap(([result, ...all]) => all.map((entered) => [entered, result] as const)))(
  'reads %j in a field for EUR as %s',
  (entered, expected) => {
    expect(read(moneyField({ label: 'x', currency: 'EUR' }), entered)).toBe(expected)
  },
)

test.each<[string, string, number | 'rejected']>([
  ['USD', 'US$10', 10_00],
  ['USD', '-$10', 'rejected'],
  ['CAD', '$10', 10_00],
  ['CAD', 'US$10', 'rejected'],
  ['DKK', 'kr.10', 10_00],
  ['SEK', 'kr.10', 'rejected'],
  ['JPY', '￥1,234', 1_234],
  ['JPY', '1.234', 1_234],
  ['JPY', '10.00', 10],
  ['JPY', '10.50', 'rejected'],
  ['KWD', '1.2340', 1_234],
  ['KWD', '1,234.5', 1_234_500],
  ['KWD', '1234.567', 1_234_567],
  ['KWD', '0,125', 125],
  ['KWD', '12.345', 'rejected'],
])('in a field for %s, reads %s as %s', (currency, entered, expected) => {
  const found = read(moneyField({ label: 'x', currency }), entered)
  expect(typeof found === 'number' ? found : 'rejected').toBe(expected)
})

const { missingValue, notANumber, notAStep, outOfRange, tooPrecise } = messages

test.each<[string, object, Read | undefined]>([
  ['1.234', { currency: 'KWD', decimal: '.' }, 1_234],
  ['1,234', { currency: 'KWD', decimal: '.' }, 1_234_000],
  ['1,234', { currency: 'KWD', decimal: ',' }, 1_234],
  ['1.234', { currency: 'KWD', decimal: ',' }, 1_234_000],
  ['10.50', { currency: 'KWD', decimal: ',' }, 10_500],
  ['1,234', { decimal: ',' }, 'Enter a multiple of 0,01.'],
  ['1,234', { currency: 'JPY', decimal: ',' }, 'Enter a whole number.'],
  ['', {}, missingValue],
  ['0.99', { min: 100, max: 200 }, outOfRange('1.00', '2.00')],
  ['2.01', { min: 100, max: 200 }, outOfRange('1.00', '2.00')],
  ['2.00', { min: 100, max: 200 }, 200],
  ['0', { min: 0 }, 0],
  ['120.5', { max: { major: '120.50' } }, 12_050],
  ['120.51', { max: { major: '120.500' } }, outOfRange('0.01', '120.50')],
  ['120,50', { units: 'major' }, '120.50'],
  ['12345678901234567890.1', { units: 'major' }, '12345678901234567890.10'],
])('reads the amount %j with %j as %j', (entered, options, expected) => {
  expect(read(moneyField({ label: 'x', currency: 'EUR', ...options }), entered)).toBe(expected)
})

test.each<[string, object, Read | undefined]>([
  ['7', {}, 7],
  [' 7 ', {}, 7],
  ['-0', {}, 0],
  ['', {}, missingValue],
  ['  ', { optional: true }, undefined],
  ['seven', {}, notANumber],
  ['1e3', {}, notANumber],
  ['0', { min: 1 }, outOfRange('1', undefined)],
  ['1', { min: 1 }, 1],
  ['9', { max: 8 }, outOfRange(undefined, '8')],
  ['8', { max: 8 }, 8],
  ['9', { min: 1, max: 8 }, outOfRange('1', '8')],
  ['-3', { min: -5, max: 5 }, -3],
  ['-5.5', { min: -5 }, notAStep('1')],
  ['1.5', {}, notAStep('1')],
  ['.25', { step: 0.01 }, 0.25],
  ['4', { min: 1, step: 3 }, 4],
  ['5', { min: 1, step: 3 }, notAStep('3')],
  ['1.25', { min: 0.5, step: 0.25 }, 1.25],
  ['1', { min: 0.5, step: 0.2 }, notAStep('0.2')],
  ['0.3', { step: 0.1 }, 0.3],
  ['83886.21', { step: 0.01 }, 83_886.21],
  ['840095.2', { step: 0.1 }, 840_095.2],
  ['0.0000003', { step: 1e-7 }, 3e-7],
  ['0.5', { max: 1, step: 1e-12 }, 0.5],
  ['9007199254740991', {}, 9_007_199_254_740_991],
  ['9007199254740993', { step: 1e-10 }, tooPrecise],
  ['0.12345678901234567', { step: 1e-10 }, notAStep('0.0000000001')],
  ['99999999999.1234567891', { step: 1e-10 }, tooPrecise],
  ['1,500', {}, 1_500],
  ['1.500', { min: 0.5, step: 0.5 }, '1.500 can mean 1,500.0 or 1.500. Enter 1,500.0 or 1.5000.'],
  ['1,5', { step: 0.5 }, 1.5],
  ['-1 500', {}, -1_500],
  ['1,234', { step: 0.001, decimal: ',' }, 1.234],
  ['5 €', {}, notANumber],
  ['5 days', {}, notANumber],
])('reads the number %j with %j as %j', (entered, options, expected) => {
  expect(read(numberField({ label: 'x', ...options }), entered)).toBe(expected)
})

test('reads the initial value and the limits that it shows as the same numbers', () => {
  const units = fc.oneof(fc.integer({ min: 0, max: 9_999_999 }), fc.maxSafeNat())
  const separator = fc.constantFrom(undefined, '.', ',')
  fc.assert(
    fc.property(fc.constantFrom(...CURRENCIES), separator, units, (code, decimal, value) => {
      const options = { label: 'x', currency: code.slice(0, 3), decimal }
      const field = moneyField({ ...options, value, min: value, max: value })
      expect(field.read(field.view.initial, messages)).toEqual({ value })
      const problem = 'Enter a value from A to A.'.replaceAll('A', field.view.initial)
      expect(field.read('9999999999999999', messages)).toEqual({ problem })
    }),
    { examples: [['KWD3', undefined, 1_234]] },
  )
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 4 }), separator, (n, digits, decimal) => {
      const value = Number(toDecimal(n, digits))
      const field = numberField({ label: 'x', step: 10 ** -digits, value, decimal })
      expect(field.read(field.view.initial, messages)).toEqual({ value: value + 0 })
      expect(field.read(toDecimal(n * 10 + 5, digits + 1), messages)).toHaveProperty('problem')
    }),
    { examples: [[-1_234, 3, undefined]] },
  )
})
