import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSidecardError, money } from 'sidecard'
import { catchInvalid } from '../helpers/catch-invalid.ts'

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
    expect(error.issues[0]).toMatchObject({ path: 'minorUnits' })
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
