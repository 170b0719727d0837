import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { calendarDate, fields, money, section, status } from 'sidecard'

const unhandled: unknown[] = []
const listener = (reason: unknown) => unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', listener)
})
afterEach(() => {
  process.off('unhandledRejection', listener)
})

const load = () => null

/** Accepts records that the types reject, as plain JavaScript can pass them. */
const untyped = fields as unknown as (record: unknown) => unknown

/** A rejection is reported after the microtasks of a turn of the event loop. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

const rejected = (): any => Promise.reject(new Error('backend down'))

test('an unhandled rejection is seen by these tests', async () => {
  void rejected()
  await nextTurns()
  expect(unhandled).toHaveLength(1)
})

describe.each<[string, () => unknown]>([
  ['a promise', rejected],
  [
    'a promise without a constructor',
    () => Object.setPrototypeOf(rejected(), { then: Promise.prototype.then }),
  ],
])('%s', (_, promise) => {
  test.each<[string, (p: any) => unknown]>([
    ['the amount', (p) => money(p, 'EUR')],
    ['the currency', (p) => money(1, p)],
    ['the locale of money()', (p) => money(1, 'EUR', p)],
    ['the date', (p) => calendarDate(p)],
    ['the locale of calendarDate()', (p) => calendarDate('2026-01-01', p)],
    ['the status', (p) => status(p, {})],
    ['the colors', (p) => status('x', p)],
    ['the record', (p) => fields(p)],
    ['a value', (p) => fields({ a: p })],
    ['a value in an array', (p) => untyped({ Orders: [p] })],
    ['a value in an object', (p) => untyped({ a: { b: p } })],
    ['a value of a Map', (p) => untyped(new Map([['a', p]]))],
    ['a value of a pair', (p) => fields([['a', p]])],
    ['a label of a pair', (p) => fields([[p, 'a']])],
    ['a pair', (p) => fields([p])],
    ['the options of fields()', (p) => fields({ A: 1 }, p)],
    ['an option of fields()', (p) => fields({ A: 1 }, { locale: p })],
    ['the title', (p) => section(p, load)],
    ['the function', (p) => section('S', p)],
    ['the options of section()', (p) => section('S', load, p)],
    ['the timeout', (p) => section('S', load, { timeoutMs: p })],
    ['the icon', (p) => section('S', load, { icon_url: p })],
  ])('as %s is an error, and its rejection is handled', async (_place, call) => {
    expect(() => call(promise())).toThrow(/is a promise: await it\./)
    await nextTurns()
    expect(unhandled).toEqual([])
  })
})

test.each<[string, () => unknown]>([
  ['another argument', () => money(rejected() as never, rejected() as never, rejected() as never)],
  ['a later value', () => fields({ A: Number.NaN, B: rejected(), C: rejected() })],
  ['a later option', () => section('S', load, { timeoutMs: 0, key: [rejected()] } as never)],
  ['an unknown option', () => fields({ A: 1 }, { extra: rejected() } as never)],
  ['the record of invalid options', () => fields({ A: rejected() }, { locale: 7 } as never)],
  ['a value next to an invalid locale', () => fields({ A: 1, B: rejected() }, { locale: '?' })],
  ['the colors of an invalid status', () => status(7 as never, { a: rejected() })],
])('the rejection of %s is handled', async (_, call) => {
  expect(call).toThrow(expect.objectContaining({ code: expect.stringMatching(/^invalid_/) }))
  await nextTurns()
  expect(unhandled).toEqual([])
})

test('a promise that cannot be handled is an error as well', async () => {
  // Not even `await` can handle this promise.
  const unreadable = Object.defineProperty(rejected(), 'constructor', {
    get() {
      throw new Error('not readable')
    },
  })
  expect(() => money(unreadable as never, 'EUR')).toThrow('amount: is a promise: await it.')
  await nextTurns()
})
