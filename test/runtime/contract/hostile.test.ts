import { describe, expect, test } from 'vitest'
import { validatePayload } from 'sidecard/schema'
import { encodePayload } from '../../../src/runtime/contract/encode.ts'
import { revokedProxy } from '../../helpers/revoked-proxy.ts'

const header = { title: 'Billing' }
const divider = { type: 'divider' }

function inPayload(...components: unknown[]) {
  return { version: '1.0.0', header, components }
}

function fail(): never {
  throw new Error('sk-secret')
}

/** A proxy that returns itself for every property. */
function endless(): object {
  const proxy: object = new Proxy(
    {},
    {
      get: () => proxy,
      ownKeys: () => ['type', 'components'],
      getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: proxy }),
    },
  )
  return proxy
}

function cyclic(): object {
  const card: { type: string; components: unknown[] } = { type: 'card', components: [] }
  card.components.push(card)
  return card
}

function deep(levels: number): object {
  let card: object = divider
  for (let level = 0; level < levels; level++) card = { type: 'card', components: [card] }
  return card
}

const throwing = {
  get: fail,
  has: fail,
  ownKeys: fail,
  getPrototypeOf: fail,
  getOwnPropertyDescriptor: fail,
}
class Widget {
  type = 'divider'
  toJSON() {
    return fail()
  }
}

const values: [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['a BigInt', 7n],
  ['a symbol', Symbol('x')],
  ['a function', () => divider],
  ['NaN', Number.NaN],
  ['a Map', new Map([['type', 'divider']])],
  ['a Date', new Date()],
  ['an invalid Date', new Date(Number.NaN)],
  ['a boxed string', Object('divider')],
  ['a promise', Promise.resolve(divider)],
  ['a cycle', cyclic()],
  ['20,000 levels', deep(20_000)],
  ['a revoked proxy', revokedProxy({})],
  ['a revoked array', revokedProxy([])],
  ['a throwing proxy', new Proxy({}, throwing)],
  ['a throwing array', new Proxy([], throwing)],
  ['an endless proxy', endless()],
  ['a proxy whose prototypes never end', new Proxy({}, { getPrototypeOf: () => endless() })],
  ['a throwing getter', Object.defineProperty({}, 'type', { get: fail, enumerable: true })],
  [
    'a thrown null',
    {
      ...divider,
      get label() {
        throw null
      },
    },
  ], // oxlint-disable-line no-throw-literal
  ['an array', [7]],
  ['an inherited type', Object.create(divider)],
  ['a hidden type', Object.defineProperty({ x: 1 }, 'type', { value: 'divider' })],
  ['a symbol for a type', { type: Symbol.for('divider') }],
  ['a toString for a type', { type: { toString: () => 'divider' } }],
  ['an own __proto__', JSON.parse('{"type":"divider","__proto__":{"x":1}}')],
  ['an own constructor', { type: 'divider', constructor: 'x', hasOwnProperty: null }],
  ['an own toJSON', { type: 'divider', toJSON: fail }],
  ['type __proto__', { type: '__proto__' }],
  ['type constructor', { type: 'constructor' }],
  ['type toString', { type: 'toString' }],
  ['a huge type', { type: 'x'.repeat(5_000_000) }],
  ['a huge key', { type: 'divider', ['k'.repeat(5_000_000)]: 1 }],
  ['an empty key', { type: 'divider', '': 1 }],
]

describe.each(values)('%s', (_, value) => {
  test.each<[string, unknown]>([
    ['as a payload', value],
    ['as the version', { version: value, header, components: [] }],
    ['as the header', { version: '1.0.0', header: value, components: [] }],
    ['as the components', { version: '1.0.0', header, components: value }],
    ['as a component', inPayload(value)],
    ['as a child of a card', inPayload({ type: 'card', components: [value] })],
    [
      'as the header of a card',
      inPayload({ type: 'card', header: value === undefined ? null : value, components: [] }),
    ],
    ['as a badge item', inPayload({ type: 'badge', label: '', items: [value] })],
    ['as the items', inPayload({ type: 'badge', label: '', items: value })],
    ['as a label', inPayload({ type: 'link', label: value, url: 'https://example.com' })],
    ['as a date-time', inPayload({ type: 'date_time', label: '', value })],
    ['as a URL', inPayload({ type: 'link', label: '', url: value })],
    ['as a color', inPayload({ type: 'badge', label: '', items: [{ value: '', color: value }] })],
  ])('is rejected %s, with short issues', (_form, payload) => {
    const verdict = validatePayload(payload)
    if (verdict.ok) throw new Error('accepted')
    expect(verdict.issues.length).toBeGreaterThan(0)
    expect(verdict.issues.length).toBeLessThanOrEqual(20)
    for (const { path, message } of verdict.issues) {
      expect(path.length).toBeLessThan(200)
      expect(message.length).toBeLessThan(300)
      expect(path + message).not.toContain('sk-secret')
      expect(path + message).toMatch(/^[ -~…]*$/)
    }
  })
})

test('one broken component does not affect the others', () => {
  const verdict = validatePayload(inPayload(revokedProxy({}), divider, { type: 'image' }))
  expect(verdict).toMatchObject({
    issues: [
      { path: 'components[0]', code: 'unreadable' },
      { path: 'components[2].type', code: 'unknown_component' },
    ],
  })
})

describe('the result matches what was validated', () => {
  test('reads a getter once, even if it returns another value each time', () => {
    let reads = 0
    const text = {
      type: 'text',
      label: 'a',
      get value() {
        return reads++ === 0 ? 'first' : 7
      },
    }
    const verdict = validatePayload(inPayload(text))
    expect(reads).toBe(1)
    expect(verdict).toMatchObject({ payload: { components: [{ value: 'first' }] } })
  })

  test('reads each property of a proxy once, even if it returns another value each time', () => {
    const reads: string[] = []
    const spied = (target: object): object =>
      new Proxy(target, {
        get(object, key) {
          reads.push(String(key))
          const value: unknown = Reflect.get(object, key)
          return typeof value === 'object' && value !== null ? spied(value) : value
        },
      })
    const payload = inPayload({
      type: 'card',
      header,
      components: [{ type: 'text', label: 'a', value: 'b', icon_url: 'https://example.com' }],
    })
    expect(validatePayload(spied(payload))).toEqual({ ok: true, payload })
    // The title is read twice because there are two headers. `length` and `0` are read once for
    // each of two arrays.
    const expected = ['version', 'header', 'components', 'title', 'length', '0', 'type', 'header']
    expected.push('title', 'components', 'length', '0', 'type', 'label', 'value', 'icon_url')
    expect(reads.sort()).toEqual(expected.sort())
  })

  test('when a class has a toJSON method with another result', () => {
    const verdict = validatePayload(inPayload(new Widget()))
    expect(verdict).toEqual({ ok: true, payload: inPayload(divider) })
  })

  test('when a prototype has fields, only own ones count', () => {
    const text: unknown = Object.assign(Object.create({ icon_url: 'javascript:alert(1)' }), {
      type: 'text',
      label: 'a',
      value: 'b',
    })
    expect(encodePayload(inPayload(text))).toMatchObject({
      json: expect.stringContaining('{"type":"text","label":"a","value":"b"}'),
    })
  })

  test('when every object has inherited fields, only own ones count', () => {
    const text = { type: 'text', label: 'a', value: 'b' }
    // oxlint-disable-next-line no-extend-native -- some libraries do this
    Object.defineProperty(Object.prototype, 'icon_url', {
      value: 'javascript:alert(1)',
      writable: true,
      enumerable: true,
      configurable: true,
    })
    try {
      expect(validatePayload(inPayload(text)).ok).toBe(true)
      expect(encodePayload(inPayload({ type: 'text', label: 'a' }))).toMatchObject({ ok: false })
      expect(encodePayload(inPayload(text))).toMatchObject({
        json: expect.not.stringContaining('javascript'),
      })
    } finally {
      Reflect.deleteProperty(Object.prototype, 'icon_url')
    }
  })

  test('when a proxy lists an unknown field only once', () => {
    let reads = 0
    const text = new Proxy(
      { type: 'text', label: 'a', value: 'b', tone: 'warm' },
      { ownKeys: (target) => Reflect.ownKeys(target).slice(0, reads++ === 0 ? 4 : 3) },
    )
    expect(validatePayload(inPayload(text))).toMatchObject({
      issues: [{ path: 'components[0].tone', code: 'unknown_field' }],
    })
  })

  test('when objects have no prototype', () => {
    const bare: unknown = Object.assign(Object.create(null), divider)
    expect(validatePayload(inPayload(bare)).ok).toBe(true)
  })
})
