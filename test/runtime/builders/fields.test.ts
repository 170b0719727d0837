import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { card, fields, type FieldValue, localized, money, validatePayload } from 'sidecard'
import { catchInvalid } from '../../helpers/catch-invalid.ts'

/** Accepts arguments that the types reject, as plain JavaScript can pass them. */
const untyped = fields as unknown as (record: unknown) => unknown

function isValid(components: unknown): boolean {
  return validatePayload({ version: '1.0.0', header: { title: 'a' }, components }).ok
}

describe('fields()', () => {
  test('converts each kind of value to its component, in the given order', () => {
    const made = fields({
      Plan: 'Pro',
      Seats: 1234,
      Events: 12345678901234567890n,
      Trial: false,
      VIP: true,
      Renews: new Date('2026-11-21T09:30:00Z'),
      Site: new URL('https://example.com/a?b=c'),
    })
    expect(made).toStrictEqual([
      { type: 'text', label: 'Plan', value: 'Pro' },
      { type: 'text', label: 'Seats', value: '1,234' },
      { type: 'text', label: 'Events', value: '12,345,678,901,234,567,890' },
      { type: 'text', label: 'Trial', value: 'No' },
      { type: 'text', label: 'VIP', value: 'Yes' },
      { type: 'date_time', label: 'Renews', value: '2026-11-21T09:30:00.000Z' },
      { type: 'link', label: 'Site', url: 'https://example.com/a?b=c' },
    ])
    expect(isValid([card({ components: made })])).toBe(true)
  })

  test('drops null, undefined and blank strings, and keeps 0 and false', () => {
    const made = fields({ A: null, B: undefined, C: '', D: ' \n\t ', E: 0, F: false, G: -0, H: 0n })
    expect(made.map(({ label }) => label)).toEqual(['E', 'F', 'G', 'H'])
    expect(made.map((component) => ('value' in component ? component.value : ''))).toEqual([
      '0',
      'No',
      '0',
      '0',
    ])
    expect(fields({})).toEqual([])
  })

  test('keeps the order of pairs, including numeric labels, and repeated labels', () => {
    const made = fields([
      ['2025', 'b'],
      ['2024', 'a'],
      ['2024', null],
      ['__proto__', 'c'],
      ['2024', 'd'],
    ])
    expect(made.map(({ label }) => label)).toEqual(['2025', '2024', '__proto__', '2024'])
  })

  test('reads the own properties of a class instance', () => {
    class Account {
      readonly Plan = 'Pro'
    }
    Object.defineProperty(Account.prototype, 'Inherited', { value: 'x', enumerable: true })
    expect(fields(new Account())).toEqual([{ type: 'text', label: 'Plan', value: 'Pro' }])
  })

  test('reads dates and URLs of another class, and none that only claim to be one', () => {
    class Moment extends Date {
      get [Symbol.toStringTag]() {
        return 'Moment'
      }
    }
    class Site extends URL {}
    expect(fields({ At: new Moment(0), Site: new Site('https://a.example/') })).toEqual([
      { type: 'date_time', label: 'At', value: '1970-01-01T00:00:00.000Z' },
      { type: 'link', label: 'Site', url: 'https://a.example/' },
    ])
    const claims = [
      { [Symbol.toStringTag]: 'URL', href: 'https://a.example/' },
      Object.create(Date.prototype),
      Object.create(URL.prototype),
      new Proxy(new Date(0), {}),
    ]
    for (const claim of claims) {
      expect(catchInvalid(() => untyped({ A: claim })).issues[0]?.message).toMatch(/^is an object/)
    }
  })

  test('shows up to 10,000 fields, of an object or of pairs', () => {
    const pairs = Array.from({ length: 10_000 }, (_, index) => [`a${index}`, 'b'] as const)
    expect(fields(pairs)).toHaveLength(10_000)
    expect(fields(Object.fromEntries(pairs))).toHaveLength(10_000)
  })

  test('formats numbers in the given locale', () => {
    const value = (locale: string, number: number) =>
      fields({ N: number }, { locale }).map((made) => ('value' in made ? made.value : ''))
    expect(value('de', 1234.5)).toEqual(['1.234,5'])
    expect(value('en-IN', 1_234_567)).toEqual(['12,34,567'])
    expect(value('xx-unknown', 1234.5)).toEqual(['1,234.5'])
  })

  test('hides floating-point noise, but keeps small numbers', () => {
    const shown = (number: number) => fields({ N: number })[0]
    expect(shown(0.1 + 0.2)).toMatchObject({ value: '0.3' })
    expect(shown(0.0001)).toMatchObject({ value: '0.0001' })
    expect(shown(Number.MAX_SAFE_INTEGER)).toMatchObject({ value: '9,007,199,254,740,991' })
    expect(shown(0.000001)).toMatchObject({ value: '0.000001' })
    expect(shown(Number.MIN_VALUE)).toMatchObject({ value: '5E-324' })
  })

  test('writes a date with the offset of a time zone', () => {
    const renews = new Date('2026-11-21T23:30:00Z')
    const value = (timeZone: string) => fields({ Renews: renews }, { timeZone })[0]
    expect(value('Europe/Berlin')).toMatchObject({ value: '2026-11-22T00:30:00.000+01:00' })
    expect(value('America/St_Johns')).toMatchObject({ value: '2026-11-21T20:00:00.000-03:30' })
    expect(value('UTC')).toMatchObject({ value: '2026-11-21T23:30:00.000Z' })
    const last = { Renews: new Date('9999-12-31T23:30:00Z') }
    expect(fields(last, { timeZone: 'Asia/Tokyo' })[0]).toMatchObject({
      value: '9999-12-31T23:30:00.000Z',
    })
    const extremes = [new Date('9999-06-01T12:00:00Z'), new Date('0000-06-01T12:00:00Z')]
    const made = fields(
      extremes.map((date) => ['At', date] as const),
      { timeZone: 'Asia/Tokyo' },
    )
    expect(made).toMatchObject([
      { value: '9999-06-01T21:00:00.000+09:00' },
      { value: '0000-06-01T21:18:00.000+09:18' },
    ])
  })

  test.each([
    'http://[::1]:8080/a',
    'https://example.com/a%20b?c=[d]#e',
    'mailto:jane@example.com',
    'tel:+1-816-555-1212',
  ])('shows the URL %s as a link that every app can send', (href) => {
    const [component] = fields({ Docs: new URL(href) })
    const url = href.replace('[d]', '%5Bd%5D')
    expect(component).toEqual({ type: 'link', label: 'Docs', url })
  })

  test('percent-encodes characters that a URI must not contain', () => {
    const url = new URL('https://example.com/[a]|b?q={x}^`%zz#c#d[1]')
    const [made] = fields({ Site: url })
    expect(isValid([made])).toBe(true)
    expect(made).toMatchObject({ url: expect.stringContaining('%5Ba%5D%7Cb') })
    expect(new URL(made !== undefined && 'url' in made ? made.url : '').host).toBe('example.com')
    const odd = new URL('https://example.com/%AZ#a#b')
    expect(fields({ Site: odd })).toMatchObject([{ url: 'https://example.com/%25AZ#a%23b' }])
  })
})

describe('fields() rejects, with the path and a fix,', () => {
  test.each([
    ['NaN', Number.NaN, 'is NaN'],
    ['an infinity', -Infinity, 'is an infinity'],
    ['an object', { a: 1 }, 'is an object'],
    ['an array', ['a'], 'is an array'],
    ['a symbol', Symbol('a'), 'is a symbol'],
    ['a function', () => 'a', 'is a function'],
  ])('%s', (_, value, message) => {
    const error = catchInvalid(() => untyped({ Plan: 'Pro', Seats: value }))
    expect(error.code).toBe('invalid_component')
    expect(error.issues).toHaveLength(1)
    expect(error.issues[0]).toMatchObject({
      path: 'Seats',
      fix: expect.stringMatching(/^[A-Z].*\.$/),
    })
    expect(error.issues[0]?.message).toContain(message)
    expect(error.message).toMatch(/^fields\(\): Seats/)
  })

  test('an invalid Date and a year that RFC 3339 does not have', () => {
    for (const date of [new Date('nonsense'), new Date(8.64e15)]) {
      for (const options of [{}, { timeZone: 'Asia/Tokyo' }]) {
        const error = catchInvalid(() => fields({ Renews: date }, options))
        expect(error.issues[0]).toMatchObject({ path: 'Renews', code: 'invalid_date_time' })
      }
    }
  })

  test('a script URL', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x']) {
      const error = catchInvalid(() => fields({ Site: new URL(url) }))
      expect(error.issues[0]).toMatchObject({ path: 'Site' })
      expect(error.message).not.toContain('alert')
    }
  })

  test('a promise, whose rejection it consumes', async () => {
    const reject = () => Promise.reject(new Error('db down'))
    const error = catchInvalid(() => untyped({ A: reject(), B: Number.NaN, C: reject() }))
    expect(error.issues.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'A is a promise: await it',
      'B is NaN',
      'C is a promise: await it',
    ])
    expect(catchInvalid(() => untyped([reject(), ['A', reject()]])).issues).toHaveLength(2)
    // Vitest fails the run on an unhandled rejection.
    await new Promise((resolve) => setTimeout(resolve, 0))
  })

  test('values that are not a record, within milliseconds', () => {
    const started = Date.now()
    const records = [
      undefined,
      null,
      'a',
      7,
      new Map([['Plan', 'Pro']]),
      Promise.reject(new Error('db down')),
      new Uint8Array(50_000_000),
      Array(3_000_000),
    ]
    for (const record of records) expect(catchInvalid(() => untyped(record)).issues).toHaveLength(1)
    expect(catchInvalid(() => untyped(['a', ['b', 1]])).issues).toEqual([
      expect.objectContaining({ path: '[0]', message: 'is not a pair' }),
    ])
    expect(Date.now() - started).toBeLessThan(5_000)
  })

  test('a value without repeating it', () => {
    const error = catchInvalid(() => untyped({ Email: { secret: 'jane@example.com' } }))
    expect(error.message).not.toContain('jane')
  })
})

const LOCALES = ['en', 'de', 'fr-CH', 'ar-EG', 'hi-IN', 'ja', 'th', 'fa', 'pt-BR']
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Kiritimati']

const fieldValue: fc.Arbitrary<FieldValue> = fc.oneof(
  fc.string({ unit: 'binary' }),
  // A larger number is whole, and its digits may be wrong.
  fc.double({ noNaN: true, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  fc.bigInt(),
  fc.bigInt({ min: -(10n ** 400n), max: 10n ** 400n }),
  fc.boolean(),
  fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => new URL(url)),
  fc.constantFrom(null, undefined),
)

test('fields() creates valid components from every value that its type allows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: 'binary' }), fieldValue)),
      fc.constantFrom(...LOCALES),
      fc.constantFrom(undefined, ...ZONES),
      (pairs, locale, timeZone) => {
        const made = fields(pairs, { locale, timeZone })
        expect(isValid(made)).toBe(true)
        const kept = pairs.filter(
          ([, of]) =>
            of !== null && of !== undefined && (typeof of !== 'string' || of.trim() !== ''),
        )
        expect(made.map(({ label }) => label)).toEqual(kept.map(([label]) => label))
        for (const [index, component] of made.entries()) {
          const given = kept[index]?.[1]
          if (!(given instanceof Date) || component.type !== 'date_time') continue
          expect(new Date(component.value).getTime()).toBe(given.getTime())
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('fields() shows every digit of an integer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.bigInt()), (number) => {
      const [made] = fields({ N: number })
      const shown = made !== undefined && 'value' in made ? made.value : ''
      expect(shown.replaceAll(',', '')).toBe(String(number))
    }),
  )
})

test('fields() and money() reject every whole number whose digits JavaScript may have changed', () => {
  const isInexact = (value: number) => Number.isInteger(value) && !Number.isSafeInteger(value)
  const inexact = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => value * 2 ** 53)
  const { fields: fieldsIn, money: moneyIn } = localized({ locale: 'de' })
  fc.assert(
    fc.property(inexact.filter(isInexact), (number) => {
      const calls: [string, () => unknown][] = [
        ['N', () => fields({ N: number })],
        ['N', () => fieldsIn({ N: number })],
        ['amount', () => money(number, 'EUR')],
        ['amount', () => moneyIn(number, 'EUR')],
        ['major', () => money({ major: number }, 'JPY')],
        ['major', () => moneyIn({ major: number }, 'JPY')],
      ]
      for (const [path, call] of calls) {
        const { issues, message } = catchInvalid(call)
        expect(issues).toMatchObject([{ path, fix: expect.stringContaining('string or a bigint') }])
        expect(message).not.toContain(String(number))
      }
    }),
  )
})
