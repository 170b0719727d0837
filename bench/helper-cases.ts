import {
  badge,
  button,
  calendarDate,
  card,
  dateTime,
  dayOf,
  divider,
  fields,
  link,
  money,
  payload,
  section,
  status,
  text,
} from 'sidecard'
import type {
  BadgeFields,
  ButtonFields,
  CardFields,
  DateTimeFields,
  LinkFields,
  MajorUnits,
  PayloadFields,
  TextFields,
} from '../src/runtime/builders/index.ts'
import { encodePayload } from '../src/runtime/contract/encode.ts'
import { HEADER, LIMITS } from './payloads.ts'

/** One input of a builder or helper. The first input of each is the usual one. */
export interface HelperCase {
  readonly helper: string
  readonly input: string
  /** Creates the argument of call `n`, which differs from all others. Not part of the cost. */
  readonly prepare: (n: number) => unknown
  readonly call: (argument: never) => unknown
}

const FIRST_MS = Date.UTC(2026, 0, 1)
const LOCALES =
  'en de fr it es pt nl sv da nb fi pl cs sk sl hr hu ro bg el tr uk ru he ar hi th vi id ms ja ko zh'.split(
    ' ',
  )
const CURRENCIES = 'EUR USD GBP JPY CHF INR BRL CNY SEK NOK DKK PLN CZK HUF MXN KWD TRY ZAR'.split(
  ' ',
)
const ZONES = Intl.supportedValuesOf('timeZone').slice(0, 40)

const moment = (n: number) => new Date(FIRST_MS + n * 1_000)
const day = (n: number) => `2026-${10 + (n % 3)}-${10 + (n % 20)}`
const url = (n: number) => `https://admin.example.com/accounts/acc_${n}?tab=billing`
const icon = (n: number) => `https://cdn.example.com/icons/${n}.png`
const pick = (list: readonly string[], n: number) => list[n % list.length]!
const load = () => null
const cache = { name: 'errors', fetch: () => Promise.reject(new Error('Not called.')) }

/** Every builder and helper, with the inputs whose costs could differ. */
export const HELPER_CASES: readonly HelperCase[] = [
  ...cases<TextFields>('text()', text, {
    'a string': (n) => ({ label: `Plan ${n}`, value: `Pro ${n}` }),
    'several lines': (n) => ({ label: `Plan ${n}`, value: `Pro\n"${n}"\n\\` }),
    'an icon': (n) => ({ label: `Plan ${n}`, value: `Pro ${n}`, icon_url: icon(n) }),
  }),
  ...cases<DateTimeFields>('dateTime()', dateTime, {
    'a string': (n) => ({ label: `At ${n}`, value: moment(n).toISOString() }),
    'a Date': (n) => ({ label: `At ${n}`, value: moment(n) }),
    'a string, an icon': (n) => ({
      label: `At ${n}`,
      value: moment(n).toISOString(),
      icon_url: icon(n),
    }),
  }),
  ...cases<BadgeFields>('badge()', badge, {
    'one item': (n) => ({ label: `State ${n}`, items: [{ value: `On ${n}`, color: 'green' }] }),
    'five items': (n) => ({
      label: `State ${n}`,
      items: Array.from({ length: 5 }, (_, item) => ({ value: `${item} ${n}`, color: 'gray' })),
    }),
  }),
  ...cases<ButtonFields>('button()', button, {
    'a URL': (n) => ({ label: `Open ${n}`, url: url(n) }),
    'a URL with %20': (n) => ({ label: `Open ${n}`, url: `${url(n)}&q=a%20b` }),
    mailto: (n) => ({ label: `Open ${n}`, url: `mailto:jane${n}@example.com` }),
  }),
  ...cases<LinkFields>('link()', link, {
    'a URL': (n) => ({ label: `Open ${n}`, url: url(n) }),
    'a URL with %20': (n) => ({ label: `Open ${n}`, url: `${url(n)}&q=a%20b` }),
    tel: (n) => ({ label: `Call ${n}`, url: `tel:+1-816-${n}` }),
    'an IPv6 address': (n) => ({ label: `Open ${n}`, url: `https://[2001:db8::1]:8080/${n}` }),
  }),
  ...cases('divider()', divider, { 'no fields': () => undefined }),
  ...cases<CardFields>('card()', card, {
    'five texts': (n) => ({ header: { title: `Order ${n}` }, components: texts(n) }),
    'an icon': (n) => ({
      header: { title: `Order ${n}`, icon_url: icon(n) },
      components: texts(n),
    }),
    'nested, with absent components': (n) => ({ components: [texts(n), false, [null, '']] }),
  }),
  ...cases<PayloadFields>('payload()', payload, {
    'five texts': (n) => ({ header: { title: `Order ${n}` }, components: texts(n) }),
  }),
  ...cases<[string, object?]>('section()', ([title, options]) => section(title, load, options), {
    'a timeout': (n) => [`Errors ${n}`, { timeoutMs: 1500 }],
    'no options': (n) => [`Errors ${n}`],
    'an icon': (n) => [`Errors ${n}`, { icon_url: icon(n) }],
    'a cache': (n) => [`Errors ${n}`, { cache, key: [n] }],
  }),
  ...cases<[object, object?]>('fields()', ([record, options]) => fields(record, options), {
    'an integer': (n) => [{ Seats: n }],
    'a string': (n) => [{ Plan: `Pro ${n}` }],
    'a boolean': (n) => [{ VIP: n % 2 === 0 }],
    'a fraction': (n) => [{ Score: n + 0.25 }],
    'a tiny number': (n) => [{ Score: n / 1e20 }],
    'a bigint': (n) => [{ Events: BigInt(n) * 10n ** 18n }],
    'a Date': (n) => [{ Renews: moment(n) }],
    'a Date, a time zone': (n) => [{ Renews: moment(n) }, { timeZone: 'Europe/Berlin' }],
    'a Date, 40 time zones': (n) => [{ Renews: moment(n) }, { timeZone: pick(ZONES, n) }],
    'a URL': (n) => [{ Site: new URL(url(n)) }],
    'a URL to encode': (n) => [{ Site: new URL(`${url(n)}&q=[a]|b`) }],
    '33 locales': (n) => [{ Seats: n }, { locale: pick(LOCALES, n) }],
    'a pair': (n) => [[[`Seats ${n}`, n]]],
  }),
  ...cases<[number | bigint | MajorUnits, string, string?]>(
    'money()',
    ([amount, currency, locale]) => money(amount, currency, locale),
    {
      EUR: (n) => [n, 'EUR'],
      'a bigint': (n) => [BigInt(n) * 10n ** 18n, 'EUR'],
      'a decimal string': (n) => [{ major: received(`${n}.50`) }, 'EUR'],
      'a decimal object': (n) => [{ major: { toString: () => `${n}.50` } }, 'EUR'],
      '18 currencies': (n) => [n, pick(CURRENCIES, n)],
      '33 locales': (n) => [n, 'EUR', pick(LOCALES, n)],
      '18 currencies in 13 locales': (n) => [n, pick(CURRENCIES, n), LOCALES[n % 13]!],
    },
  ),
  ...cases<[string | Date, string?]>(
    'calendarDate()',
    ([value, locale]) => calendarDate(value, locale),
    {
      'a string': (n) => [day(n)],
      'a Date, midnight UTC': (n) => [new Date(FIRST_MS + (n % 9_999) * 86_400_000)],
      'a Date, local midnight': (n) => [new Date(2026, 0, n % 9_999)],
      '33 locales': (n) => [day(n), pick(LOCALES, n)],
    },
  ),
  ...cases<[string | Date, string, string?]>(
    'dayOf()',
    ([value, zone, locale]) => dayOf(value, zone, locale),
    {
      'a Date': (n) => [moment(n), 'Europe/Berlin'],
      'a string': (n) => [moment(n).toISOString(), 'Europe/Berlin'],
      '40 time zones': (n) => [moment(n), pick(ZONES, n)],
      '33 locales': (n) => [moment(n), 'Europe/Berlin', pick(LOCALES, n)],
    },
  ),
  ...cases<string | null>('status()', (value) => status<string>(value, { active: 'green' }), {
    'in the table': () => received('active'),
    'not in the table': (n) => received(`state ${n}`),
    absent: () => null,
  }),
  ...cases<object>('encoding', encode, {
    'a text': (n) => ({ type: 'text', label: `Plan ${n}`, value: `Pro ${n}` }),
    'a text with escapes': (n) => ({ type: 'text', label: `"${n}"`, value: `\\\n\u0001${n}` }),
    'a text with emoji': (n) => ({ type: 'text', label: `🙂 ${n}`, value: `${n} \ud800` }),
    'an icon': (n) => ({ type: 'text', label: `Plan ${n}`, value: '', icon_url: icon(n) }),
    'a date': (n) => ({ type: 'date_time', label: `${n}`, value: moment(n).toISOString() }),
    'a date with an offset': (n) => ({
      type: 'date_time',
      label: `At ${n}`,
      value: moment(n).toISOString().replace('Z', '+05:30'),
    }),
    'a link with %20': (n) => ({ type: 'link', label: `${n}`, url: `${url(n)}&q=a%20b` }),
    'fields in another order': (n) => ({ value: `Pro ${n}`, label: `Plan ${n}`, type: 'text' }),
  }),
]

function cases<Argument>(
  helper: string,
  call: (argument: Argument) => unknown,
  inputs: { readonly [input: string]: (n: number) => Argument },
): HelperCase[] {
  return Object.entries(inputs).map(([input, prepare]) => ({ helper, input, prepare, call }))
}

/** Returns a string as a driver creates it: V8 has not hashed it yet. */
function received(value: string): string {
  return Buffer.from(value).toString()
}

function texts(n: number) {
  return Array.from({ length: 5 }, (_, index) => text({ label: `${index} ${n}`, value: `${n}` }))
}

function encode(component: object): string {
  const encoded = encodePayload(
    { version: '1.0.0', header: HEADER, components: [component] },
    LIMITS,
  )
  if (!encoded.ok) throw new TypeError(encoded.issues[0]?.message)
  return encoded.json
}
