import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSidecardError, money, toMajorUnits, toMinorUnits } from 'sidecard'
import { catchInvalid } from '../../helpers/catch-invalid.ts'

/** Formatted amounts have no-break spaces. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** The minor digits of ISO 4217, list one of 2026-01-01, if they are not two. */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
      .split(' ')
      .map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
}

describe('money()', () => {
  test.each([
    [1999, 'EUR', undefined, '€19.99'],
    [1999, 'JPY', undefined, '¥1,999'],
    [1999, 'KWD', undefined, 'KWD 1.999'],
    [1999, 'IQD', undefined, 'IQD 1.999'],
    [150_000, 'HUF', undefined, 'HUF 1,500.00'],
    [150_000, 'IDR', undefined, 'IDR 1,500.00'],
    [12_345, 'CLF', undefined, 'CLF 1.2345'],
    [123_456, 'EUR', 'de', '1.234,56 €'],
    [-5, 'USD', undefined, '-$0.05'],
    [0, 'USD', undefined, '$0.00'],
    [-0, 'USD', undefined, '$0.00'],
    [100, 'eur', undefined, '€1.00'],
    [100, 'BGN', undefined, 'BGN 1.00'],
    [100, 'EUR', 'xx', '€1.00'],
    [12_345_678_901_234_567_890n, 'EUR', undefined, '€123,456,789,012,345,678.90'],
  ])('formats %s of %s in %s', (units, currency, locale, expected) => {
    expect(plain(money(units, currency, locale))).toBe(expected)
  })

  test('uses the minor digits of ISO 4217 for every currency of Intl', () => {
    const unknown: string[] = []
    for (const code of Intl.supportedValuesOf('currency')) {
      try {
        const decimals = /\.(\d+)/.exec(money(1, code))?.[1]?.length ?? 0
        expect(`${code} ${decimals}`).toBe(`${code} ${DIGITS[code] ?? 2}`)
      } catch (error) {
        if (!isSidecardError(error)) throw error
        unknown.push(code)
      }
    }
    // These have no minor units. Older runtimes list more withdrawn codes.
    expect(unknown.filter((code) => !code.startsWith('X'))).toEqual([])
  })

  test.each(['EU', 'EURO', '', 'XXX', 'XAU', 'AEA', 'EDA', 'constructor', '€'])(
    'rejects %j as a currency',
    (currency) => {
      const [issue] = catchInvalid(() => money(1, currency)).issues
      expect(issue).toMatchObject({ path: 'currency', fix: expect.stringContaining("'EUR'") })
    },
  )

  test.each([
    [Number.NaN, 'is NaN'],
    [Infinity, 'is infinite'],
    [19.99, 'is a fraction'],
    ['1999', 'is a string'],
    [null, 'is null'],
    [undefined, 'is undefined'],
    [{ valueOf: (): number => 1 }, 'is an object'],
  ])('rejects %s as an amount', (units, message) => {
    const error = catchInvalid(() => money(units as never, 'EUR'))
    expect(error.issues[0]).toMatchObject({ path: 'amount' })
    expect(error.issues[0]?.message).toContain(message)
  })

  test('rejects an invalid currency or locale without repeating it', () => {
    expect(catchInvalid(() => money(1, undefined as never)).issues[0]?.path).toBe('currency')
    expect(catchInvalid(() => money(1, 'jane@example.com')).message).not.toContain('jane')
    expect(catchInvalid(() => money(1, 'EUR', 'not a locale')).issues[0]?.path).toBe('locale')
  })

  test('stays right in more locales than it caches formats for, and in long tags', () => {
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 500; index += 1) {
        expect(money(1999, 'EUR', `en-x-a${index}`)).toBe('€19.99')
      }
      expect(plain(money(1999, 'EUR', 'de'))).toBe('19,99 €')
      expect(plain(money(1999, 'EUR', `de-x-${'abcdefg-'.repeat(30)}z`))).toBe('19,99 €')
      expect(money(1999, 'JPY', 'en-x-a0')).toBe('¥1,999')
    }
  })

  test('is exact at any size', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n })),
        fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'),
        (units, currency) => {
          const shown = money(units, currency)
          const digits = BigInt(shown.replaceAll(/[^\d]/g, ''))
          expect(shown.includes('-') ? -digits : digits).toBe(BigInt(units))
        },
      ),
    )
  })
})

const raise = (): never => {
  throw new Error('canary')
}

/** A decimal of Prisma and decimal.js: a class with `toString()`. */
class Decimal {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString() {
    return this.#text
  }
}

describe('money() in major units', () => {
  test.each<[string | number | bigint | Decimal, string, string]>([
    ['4990.00', 'EUR', '€4,990.00'],
    ['4990', 'EUR', '€4,990.00'],
    ['4990.0', 'JPY', '¥4,990'],
    ['1.5', 'KWD', 'KWD 1.500'],
    ['1.50000', 'KWD', 'KWD 1.500'],
    ['19.990', 'EUR', '€19.99'],
    ['.5', 'EUR', '€0.50'],
    ['5.', 'EUR', '€5.00'],
    ['0.05', 'EUR', '€0.05'],
    ['-0.05', 'EUR', '-€0.05'],
    ['+7', 'EUR', '€7.00'],
    ['-0', 'EUR', '€0.00'],
    [' 7 ', 'EUR', '€7.00'],
    ['1.2345', 'CLF', 'CLF 1.2345'],
    ['12345678901234567890.12', 'EUR', '€12,345,678,901,234,567,890.12'],
    [19.99, 'EUR', '€19.99'],
    [4990n, 'EUR', '€4,990.00'],
    [new Decimal('4990'), 'EUR', '€4,990.00'],
    [new Decimal('1e+21'), 'EUR', '€1,000,000,000,000,000,000,000.00'],
    [new Decimal('5e-1'), 'EUR', '€0.50'],
    [new Decimal('1.5e+1'), 'JPY', '¥15'],
    [Object('7'), 'EUR', '€7.00'],
  ])('formats %s %s', (major, currency, expected) => {
    expect(plain(money({ major }, currency))).toBe(expected)
  })

  test('is exact at any size, and the same as in minor units', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }),
        fc.constantFrom(['EUR', 2] as const, ['JPY', 0] as const, ['KWD', 3] as const),
        fc.nat(5),
        (units, [currency, digits], zeros) => {
          const text = String(units < 0n ? -units : units).padStart(digits + 1, '0')
          const point = text.length - digits
          const fraction = text.slice(point) + '0'.repeat(zeros)
          const major = `${units < 0n ? '-' : ''}${text.slice(0, point)}.${fraction}`
          expect(money({ major }, currency)).toBe(money(units, currency))
        },
      ),
    )
  })

  test.each<[unknown, string, string]>([
    ['19.999', 'EUR', 'has more than 2 decimal digits'],
    ['4990.5', 'JPY', 'has more than 0 decimal digits'],
    [0.1 + 0.2, 'EUR', 'has more than 2 decimal digits'],
    ['1e-9', 'EUR', 'has more than 2 decimal digits'],
    ['4.990,00', 'EUR', 'is not a decimal'],
    ['4,990.00', 'EUR', 'is not a decimal'],
    ['€5', 'EUR', 'is not a decimal'],
    ['', 'EUR', 'is not a decimal'],
    ['.', 'EUR', 'is not a decimal'],
    ['-', 'EUR', 'is not a decimal'],
    ['0x10', 'EUR', 'is not a decimal'],
    ['1e9999999', 'EUR', 'is not a decimal'],
    ['1'.repeat(100_000), 'EUR', 'is not a decimal'],
    ['NaN', 'EUR', 'is not a decimal'],
    [Number.NaN, 'EUR', 'is NaN'],
    [Infinity, 'EUR', 'is Infinity'],
    [null, 'EUR', 'is null'],
    [undefined, 'EUR', 'is undefined'],
    [true, 'EUR', 'is a boolean'],
    [['5'], 'EUR', 'is an array'],
    [new Date(5), 'EUR', 'is a Date'],
    [{}, 'EUR', 'is an object'],
    [Object.create(null), 'EUR', 'is an object'],
  ])('rejects %s %s', (major, currency, message) => {
    const error = catchInvalid(() => money({ major } as never, currency))
    expect(error.issues[0]).toMatchObject({
      path: 'major',
      message: expect.stringContaining(message),
    })
    expect(error.message).not.toContain('canary')
  })

  test.each<[string, () => unknown, string]>([
    ['returns a number', () => ({ toString: () => 7 }), 'is an object'],
    ['throws', () => new Proxy({}, { get: raise }), 'is an object'],
    ['is async', () => ({ toString: () => Promise.reject(new Error('canary')) }), 'is an object'],
    ['is a promise', () => Promise.reject(new Error('canary')), 'is a promise: await it'],
  ])('rejects a value whose toString() %s', (_name, create, message) => {
    const error = catchInvalid(() => money({ major: create() } as never, 'EUR'))
    expect(error.issues[0]).toMatchObject({
      path: 'major',
      message: expect.stringContaining(message),
    })
    expect(error.message).not.toContain('canary')
  })

  test('never suggests a conversion, which could change the amount', () => {
    for (const amount of [
      '4990.00',
      '4990',
      new Decimal('4990'),
      19.99,
      null,
      { mayor: '7' },
      {},
    ]) {
      expect(catchInvalid(() => money(amount as never, 'EUR')).message).not.toMatch(
        /BigInt|Number\(|parse|Math/,
      )
    }
  })

  test('names the fix for a decimal without { major }', () => {
    for (const amount of ['4990.00', new Decimal('4990')]) {
      const [issue] = catchInvalid(() => money(amount as never, 'EUR')).issues
      expect(issue?.fix).toContain("{ major: '19.99' }")
    }
  })

  test('rejects a proxy and a getter that throw', () => {
    const hostile = new Proxy({}, { has: raise })
    const getter = Object.defineProperty({}, 'major', { get: raise })
    expect(catchInvalid(() => money(hostile as never, 'EUR')).issues[0]?.path).toBe('amount')
    expect(catchInvalid(() => money(getter as never, 'EUR')).issues[0]?.path).toBe('major')
  })
})

describe('toMinorUnits() and toMajorUnits()', () => {
  test('convert every exact amount of a currency to the other unit and back', () => {
    const currency = fc.constantFrom('EUR', 'jpy', 'KWD', 'CLF')
    fc.assert(
      fc.property(fc.maxSafeInteger(), currency, (units, code) => {
        const decimal = toMajorUnits(units, code)
        expect(toMinorUnits(decimal, code)).toBe(units)
        expect(toMinorUnits(new Decimal(`+${decimal}`.replace('+-', '-')), code)).toBe(units)
        expect(money({ major: decimal }, code)).toBe(money(units, code))
      }),
    )
  })

  test('write an amount as a NUMERIC column has it', () => {
    expect(toMajorUnits(1_050, 'EUR')).toBe('10.50')
    expect(toMajorUnits(-5, 'EUR')).toBe('-0.05')
    expect(toMajorUnits(1_050, 'JPY')).toBe('1050')
    expect(toMajorUnits(12_345_678_901_234_567_890n, 'KWD')).toBe('12345678901234567.890')
  })

  test.each<[unknown, string, string, string]>([
    ['10.505', 'EUR', 'major', 'has more than 2 decimal digits'],
    ['10.5', 'JPY', 'major', 'has more than 0 decimal digits'],
    ['10,50', 'EUR', 'major', 'is not a decimal'],
    ['', 'EUR', 'major', 'is not a decimal'],
    [null, 'EUR', 'major', 'is null'],
    [0.1 + 0.2, 'EUR', 'major', 'has more than 2 decimal digits'],
    ['90071992547409.92', 'EUR', 'major', 'has more minor units than a number can represent'],
    ['1', 'XAU', 'currency', 'is not a currency'],
    [Promise.resolve('1'), 'EUR', 'major', 'is a promise'],
  ])('toMinorUnits() rejects %s in %s', (amount, currency, path, message) => {
    const error = catchInvalid(() => toMinorUnits(amount as never, currency))
    expect(error.message).toMatch(/^toMinorUnits\(\)/)
    expect(error.issues[0]).toMatchObject({ path, message: expect.stringContaining(message) })
  })

  test.each<[unknown, string, string, string]>([
    [10.5, 'EUR', 'amount', 'is a fraction'],
    ['1050', 'EUR', 'amount', 'is a string'],
    [2 ** 60, 'EUR', 'amount', 'cannot represent exactly'],
    [1, 'EURO', 'currency', 'is not a currency'],
  ])('toMajorUnits() rejects %s in %s', (amount, currency, path, message) => {
    const error = catchInvalid(() => toMajorUnits(amount as never, currency))
    expect(error.message).toMatch(/^toMajorUnits\(\)/)
    expect(error.issues[0]).toMatchObject({ path, message: expect.stringContaining(message) })
  })
})
