import { expect, test } from 'vitest'
import { calendarDate, dateTime, dayOf, fields, money, section, status } from 'sidecard'
import { catchInvalid } from '../../helpers/catch-invalid.ts'
import { revokedProxy } from '../../helpers/revoked-proxy.ts'

const DAY = 'is not a date of the form YYYY-MM-DD.'
const TAG = "is not a language tag (BCP 47). Use a tag such as 'en' or 'de-AT'."
const RECORD = 'expects an object of values, or an array of [label, value].'
const OWN = 'has no own fields: getters of a class are not read.'
const MANY = 'exceeds the maximum of 10000 fields. Show what an agent needs, and link to the rest.'
const EXPECTED = 'expected a string, number, bigint, boolean, Date or URL.'
const AMOUNT =
  "Pass whole minor units (1999 for 19.99), or the amount in major units: { major: '19.99' }."
const INEXACT = 'is a whole number that JavaScript cannot represent exactly.'
const COLUMN = 'Read the column as a string or a bigint'
const CURRENCY =
  "is not a currency of ISO 4217 with minor units. Pass a three-letter code, such as 'EUR'."
const YEAR = 'is before the year 1. Leave it out: MySQL writes the year 0 for an absent date.'
const load = () => null

/** A row whose values are getters on the prototype, as an ORM can create it. */
class Account {
  get Plan() {
    return 'Pro'
  }
}

function yearZero(): Date {
  const date = new Date(2000, 0, 1)
  date.setFullYear(0)
  return date
}

test.each<[string, () => unknown]>([
  [`calendarDate(): value: ${DAY} Pass a string such as 2026-11-21.`, () => calendarDate('soon')],
  [
    `calendarDate(): value: ${DAY} Pass a string such as 2026-11-21.`,
    () => calendarDate('AAAA-11-21T00:00'),
  ],
  [
    `calendarDate(): value: ${DAY} Pass a string such as 2026-11-21.`,
    () => calendarDate('see 2026-11-21 at noon'),
  ],
  [
    `calendarDate(): value: ${DAY} Show a date-time with dateTime(), or pass value.slice(0, 10) for its day in the zone in which it is written.`,
    () => calendarDate('2026-11-21T09:30:00Z'),
  ],
  [
    `calendarDate(): value: ${DAY} Show a date-time with dateTime(), or pass value.slice(0, 10) for its day in the zone in which it is written.`,
    () => calendarDate('2026-11-21 09:30'),
  ],
  [
    'calendarDate(): value: is a number, expected a string or a Date. Pass YYYY-MM-DD, or show seconds since 1970 with dateTime() as new Date(value * 1000).',
    () => calendarDate(7 as never),
  ],
  [
    'calendarDate(): value: is an invalid Date. Check the code that parses the date.',
    () => calendarDate(new Date(Number.NaN)),
  ],
  [
    'calendarDate(): value: is a Date with a time of day. Show a date-time with dateTime(), or pass YYYY-MM-DD.',
    () => calendarDate(new Date('2026-11-21T09:30:17Z')),
  ],
  ...['0000-01-01', '0000-00-00', '0000-00-00 00:00:00'].map((value): [string, () => unknown] => [
    `calendarDate(): value: ${YEAR}`,
    () => calendarDate(value),
  ]),
  [`calendarDate(): value: ${YEAR}`, () => calendarDate(yearZero())],
  [`calendarDate(): value: ${YEAR}`, () => calendarDate(new Date('0000-12-31'))],
  [`calendarDate(): value: ${YEAR}`, () => calendarDate(new Date('-000050-01-01'))],
  ...['not a tag', '', 7, {}, ['de'], null].map((locale): [string, () => unknown] => [
    `calendarDate(): locale: ${TAG}`,
    () => calendarDate('2026-11-21', locale as never),
  ]),
  [`money(): locale: ${TAG}`, () => money(1, 'EUR', 'not a tag')],
  [`fields(): ID: ${INEXACT} ${COLUMN}.`, () => fields({ ID: Number('301245678901234567') })],
  [
    `money(): amount: ${INEXACT} ${COLUMN}, and pass BigInt(value).`,
    () => money(-(2 ** 53), 'EUR'),
  ],
  [`money(): major: ${INEXACT} ${COLUMN}.`, () => money({ major: 1e21 }, 'EUR')],
  [`money(): currency: ${CURRENCY}`, () => money(1, 'XAU')],
  [`money(): currency: ${CURRENCY}`, () => money(1, 'AEDAFN')],
  [
    `money(): amount: is a fraction, expected whole minor units or { major }. ${AMOUNT}`,
    () => money(19.99, 'EUR'),
  ],
  [
    `money(): amount: is a string, expected minor units or { major }. ${AMOUNT}`,
    () => money('1999' as never, 'EUR'),
  ],
  [
    'money(): amount: is null, expected minor units or { major }. Leave the amount out if it is not known.',
    () => money(null as never, 'EUR'),
  ],
  [
    'status(): value: is a number, expected text. Pass the name of the status.',
    () => status(7 as never, {}),
  ],
  [
    "status(): colors: must be an object, got a number. Pass a color for each status, such as { active: 'green' }.",
    () => status('active', 7 as never),
  ],
  [`fields(): ${RECORD} Pass { Plan: account.plan }.`, () => fields(new Map() as never)],
  ...[new Account(), new Date(0), new Error('a'), new URL('https://a.example'), /a/].map(
    (record): [string, () => unknown] => [
      `fields(): ${OWN} Pass { Plan: account.plan }.`,
      () => fields(record as never),
    ],
  ),
  [
    'fields(): is a promise: await it. Write await before it.',
    () => fields(Promise.resolve({}) as never),
  ],
  [`fields(): ${MANY}`, () => fields(Array.from({ length: 10_001 }, () => ['a', 'b'] as const))],
  [
    `fields(): ${MANY}`,
    () =>
      fields(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`a${index}`, 'b']))),
  ],
  [
    'fields(): Plan: is a promise: await it. Write await before it.',
    () => fields({ Plan: Promise.resolve('Pro') as any }),
  ],
  [
    "fields(): [0]: is not a pair. Write ['Plan', account.plan].",
    () => fields([['Plan', 'Pro'].join()] as never),
  ],
  ...[['Plan'], ['Plan', 'Pro', 7], [7, 'Pro']].map((pair): [string, () => unknown] => [
    "fields(): [0]: is not a pair. Write ['Plan', account.plan].",
    () => fields([pair]),
  ]),
  [
    'fields(): Seats: is NaN. Check how it was computed, and pass null if there is no number.',
    () => fields({ Seats: Number.NaN }),
  ],
  [
    "fields(): Seats: is an infinity. Check how it was computed, and pass null or a text for PostgreSQL's infinity.",
    () => fields({ Seats: -Infinity }),
  ],
  [
    'fields(): [0]: is NaN. Check how it was computed, and pass null if there is no number.',
    () => fields([['Seats', Number.NaN]]),
  ],
  ...[{}, revokedProxy({})].map((value): [string, () => unknown] => [
    `fields(): Plan: is an object, ${EXPECTED} Convert it, for example with String(value).`,
    () => fields({ Plan: value }),
  ]),
  [
    'section(): title: must be a string, got a number. Write String(value).',
    () => section(7 as never, load),
  ],
  [
    'section(): load: must be a function, got a string. Pass a function such as (signal) => recentErrors(signal).',
    () => section('a', 'b' as never),
  ],
])('%s', (message, call) => {
  expect(call).toThrow(expect.objectContaining({ name: 'InvalidComponentError', message }))
})

const cache = { name: 'errors', fetch: () => Promise.reject(new Error('not called')) }
const TIMEOUT = 'must be an integer from 1 to 2147483647 (milliseconds).'
const KEY = 'must be an array of the values that load uses, such as [period].'

test.each<[string, () => unknown]>([
  ...[0, -1, 0.5, 2_147_483_648, '1500', null, Number.NaN, Infinity].map(
    (timeoutMs): [string, () => unknown] => [
      `section: timeoutMs ${TIMEOUT}`,
      () => section('a', load, { timeoutMs: timeoutMs as never }),
    ],
  ),
  ...['mailto:help@example.com', 'x', 7].map((icon_url): [string, () => unknown] => [
    'section: icon_url must be an http or https URL.',
    () => section('a', load, { icon_url: icon_url as never }),
  ]),
  ...[{}, null].map((other): [string, () => unknown] => [
    'section: cache must be created by sectionCache().',
    () => section('a', load, { cache: other as never, key: ['a'] }),
  ]),
  [`section: key ${KEY}`, () => section('a', load, { cache, key: 'a' } as never)],
  [
    'section: cache must be created by sectionCache(), because there is a key.',
    () => section('a', load, { key: ['a'] } as never),
  ],
  [
    'section: there is no option "timeout". Did you mean timeoutMs?',
    () => section('a', load, { timeout: 5 } as never),
  ],
  [
    'section: there is no option "retries". The options are icon_url, timeoutMs, cache, key, shared.',
    () => section('a', load, { retries: 5 } as never),
  ],
  ...[1500, null, []].map((options): [string, () => unknown] => [
    'section: the options argument must be an object.',
    () => section('a', load, options as never),
  ]),
  ...['de', null].map((options): [string, () => unknown] => [
    'fields: the options argument must be an object.',
    () => fields({ Renews: new Date(0) }, options as never),
  ]),
  [
    'fields: there is no option "timezone". Did you mean timeZone?',
    () => fields({ A: 1 }, { timezone: 'Europe/Berlin' } as never),
  ],
  ...['not a tag', 7].map((locale): [string, () => unknown] => [
    "fields: locale must be a language tag (BCP 47), such as 'de-AT'.",
    () => fields({ Seats: 1 }, { locale: locale as never }),
  ]),
  ...['Mars/Olympus', '', 'calendar date', 7].map((timeZone): [string, () => unknown] => [
    "fields: timeZone must be an IANA time zone, such as 'America/New_York' for Eastern Time, or undefined if it is not known.",
    () => fields({ Renews: new Date(0) }, { timeZone: timeZone as never }),
  ]),
])('%s', (message, call) => {
  expect(call).toThrow(
    expect.objectContaining({ name: 'SidecardError', code: 'invalid_options', message }),
  )
})

test.each([Infinity, -Infinity, 'infinity', '-infinity'])(
  "the fix for PostgreSQL's %s as a date names the database",
  (value: any) => {
    const fix =
      'Leave it out, or show a text: PostgreSQL returns infinity for a date without an end.'
    for (const call of [
      () => calendarDate(value),
      () => dayOf(value, 'UTC'),
      () => dateTime({ label: 'Ends', value }),
    ]) {
      expect(catchInvalid(call).issues).toMatchObject([{ fix }])
    }
  },
)

test('a currency and a status of any type are invalid without being repeated', () => {
  expect(catchInvalid(() => money(1, { secret: 'jane' } as never)).message).not.toContain('jane')
  expect(catchInvalid(() => status({ secret: 'jane' } as never, {})).message).not.toContain('jane')
})

test('the stack of an error starts at the line of the caller', () => {
  const calls = [
    () => money(1.5, 'EUR'),
    () => fields({ A: 1 }, { locale: 'not a tag' }),
    () => fields({ A: 1 }, { currency: 'EUR' } as never),
    () => section('a', load, { timeoutMs: 0 }),
  ]
  for (const call of calls) {
    const [first = ''] = /\n\s+at .*/.exec(stackOf(call)) ?? []
    expect(first).toContain('value-messages.test.ts')
  }
})

test('an error of a getter in the options is passed on unchanged', () => {
  const frozen = Object.freeze(new Error('mine'))
  for (const mine of ['a string', frozen]) {
    const options = {
      get timeoutMs(): number {
        throw mine
      },
    }
    let thrown: unknown
    try {
      section('a', load, options)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBe(mine)
  }
})

function stackOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    return (error as Error).stack ?? ''
  }
  return ''
}
