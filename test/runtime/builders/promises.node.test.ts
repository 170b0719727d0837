import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  badge,
  card,
  dateTime,
  divider,
  InvalidComponentError,
  link,
  payload,
  text,
} from 'sidecard'

const unhandled: unknown[] = []
const listener = (reason: unknown) => unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', listener)
})
afterEach(() => {
  process.off('unhandledRejection', listener)
})

const rejected = () => Promise.reject(new Error('backend down'))

/** A rejection is reported after the microtasks of a turn of the event loop. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

/** A function with a `then` method, as Workers RPC returns it. */
function thenableFunction(): unknown {
  return Object.assign(() => undefined, {
    then: (_: unknown, reject: (error: Error) => void) => reject(new Error('backend down')),
  })
}

describe.each<[string, () => unknown]>([
  ['a promise', rejected],
  ['a function with a then method', thenableFunction],
])('%s', (_, promise) => {
  test.each<[string, (value: never) => unknown, string]>([
    ['a label', (value) => text({ label: value, value: '' }), 'label'],
    ['a value', (value) => text({ label: '', value }), 'value'],
    ['an icon', (value) => text({ label: '', value: '', icon_url: value }), 'icon_url'],
    ['a date', (value) => dateTime({ label: '', value }), 'value'],
    ['a URL', (value) => link({ label: '', url: value }), 'url'],
    ['the items', (value) => badge({ label: '', items: value }), 'items'],
    ['an item', (value) => badge({ label: '', items: [value] }), 'items[0]'],
    [
      'the value of an item',
      (value) => badge({ label: '', items: [{ value, color: 'red' }] }),
      'items[0].value',
    ],
    [
      'the color of an item',
      (color) => badge({ label: '', items: [{ value: '', color }] }),
      'items[0].color',
    ],
    ['a component', (value) => card({ components: [divider(), value] }), 'components[1]'],
    [
      'a component in a nested array',
      (value) => card({ components: [[divider(), [value]]] }),
      'components[0][1][0]',
    ],
    ['the components', (value) => card({ components: value }), 'components'],
    ['the header', (value) => card({ header: value, components: [] }), 'header'],
    ['a title', (value) => card({ header: { title: value }, components: [] }), 'header.title'],
    [
      'the components of a payload',
      (value) => payload({ header: { title: '' }, components: value }),
      'components',
    ],
  ])('as %s is an issue, and its rejection is handled', async (_place, call, path) => {
    let issues: unknown
    try {
      call(promise() as never)
    } catch (error) {
      if (!(error instanceof InvalidComponentError)) throw error
      ;({ issues } = error)
    }
    expect(issues).toMatchObject([
      { path, code: 'unawaited_promise', message: 'is a promise: await it' },
    ])
    await nextTurns()
    expect(unhandled).toEqual([])
  })
})

test.each<[string, () => unknown]>([
  ['behind an invalid component', () => card({ components: [{}, rejected()] as never })],
  ['in an unknown field', () => text({ label: '', value: '', extra: rejected() } as never)],
  ['in an object as a value', () => text({ label: '', value: { a: [rejected()] } as never })],
  ['as the argument', () => text(rejected() as never)],
  ['in an array of fields', () => card([rejected(), rejected()] as never)],
  ['next to an invalid field', () => link({ label: rejected(), url: 7 } as never)],
])('handles the rejection of a promise %s', async (_, call) => {
  expect(call).toThrow(InvalidComponentError)
  await nextTurns()
  expect(unhandled).toEqual([])
})

test('looks for promises in 10,000 values and 32 levels of any input', () => {
  const cyclic: unknown[] = []
  cyclic.push(cyclic, cyclic)
  let deep: unknown = divider()
  for (let level = 0; level < 20_000; level++) deep = [deep]
  for (const value of [cyclic, deep, Array.from({ length: 90_000 }, () => 7)]) {
    expect(() => card({ components: value as never })).toThrow(InvalidComponentError)
  }
})
