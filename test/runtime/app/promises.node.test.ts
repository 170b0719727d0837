import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { card, payload, section, text } from 'sidecard'
import { FETCH_DATA, createTestApp, readPayload } from '../../helpers/app.ts'
import { revokedProxy } from '../../helpers/revoked-proxy.ts'

const unhandled: unknown[] = []
const record = (reason: unknown) => void unhandled.push(reason)

beforeEach(() => void process.on('unhandledRejection', record))
afterEach(() => {
  process.off('unhandledRejection', record)
  unhandled.length = 0
})

const rejects = (): any => Promise.reject(new Error('canary'))
const bad: any = { type: 'chart' }

/** An object with a getter that returns a new rejecting promise each time. */
const rejectsAgain = (name: string, object: object): any =>
  Object.defineProperty({ ...object }, name, { enumerable: true, get: rejects })

/** Node reports unhandled rejections after the microtasks of a macrotask. */
const nextMacrotask = () => new Promise((resolve) => setImmediate(resolve))

const unreadable = (...items: unknown[]): any =>
  Object.defineProperty([...items, 0], items.length, {
    get() {
      throw new Error('canary')
    },
  })

const PLACES: [name: string, fetchData: () => any][] = [
  ['the list', () => [rejects()]],
  ['a nested list', () => [[[rejects()]]]],
  ['behind a bad child', () => [bad, rejects()]],
  ['a list behind a bad child and a promise', () => [bad, rejects(), [rejects()]]],
  ['a list before more children than are allowed', () => [[rejects()], Array(200_000)]],
  [
    'a list before 9,000 components',
    () => [[rejects(), ...Array.from({ length: 9_000 }, () => bad)]],
  ],
  ['the array of a section', () => [section('S', () => [rejects()])]],
  ['behind a section that throws', () => [section('S', () => [bad, rejects()])]],
  ['the components of a card', () => [{ type: 'card', components: [rejects()] }]],
  ['card()', () => [card({ components: [rejects()] })]],
  ...(['label', 'value', 'icon_url'] as const).flatMap((name): typeof PLACES => [
    [
      `a getter of the ${name} of a field`,
      () => [rejectsAgain(name, { type: 'text', label: 'a', value: 'b' })],
    ],
    [
      `a getter of the ${name} of text()`,
      () => [text(rejectsAgain(name, { label: 'a', value: 'b' }))],
    ],
  ]),
  ['a getter of the type', () => [rejectsAgain('type', {})]],
  [
    'a getter of the items of a badge',
    () => [rejectsAgain('items', { type: 'badge', label: 'a' })],
  ],
  [
    'a getter of the header of a card',
    () => [rejectsAgain('header', { type: 'card', components: [] })],
  ],
  [
    'a getter of the title of a card',
    () => [{ type: 'card', header: rejectsAgain('title', {}), components: [] }],
  ],
  ['a getter of the components of a payload', () => rejectsAgain('components', { header: {} })],
  ['a getter of the header of a payload', () => rejectsAgain('header', { components: [] })],
  ['the value of a field', () => [{ type: 'text', label: 'a', value: rejects() }]],
  ['text()', () => [text({ label: 'a', value: rejects() })]],
  ['the header of a card', () => [{ type: 'card', header: rejects(), components: [] }]],
  ['the items of a badge', () => [{ type: 'badge', label: 'a', items: [rejects()] }]],
  ['an item of a badge', () => [{ type: 'badge', label: 'a', items: [{ value: rejects() }] }]],
  ['an unknown field', () => [{ type: 'divider', extra: { deep: [rejects()] } }]],
  ['an object of promises', () => ({ a: rejects(), b: rejects() })],
  [
    'the components of a payload',
    () => ({ version: '1.0.0', header: { title: 'x' }, components: [rejects(), bad] }),
  ],
  [
    'the header of a payload',
    () => ({ version: '1.0.0', header: rejects(), components: [rejects()] }),
  ],
  ['payload()', () => payload({ header: { title: 'x' }, components: [rejects()] as any })],
  ['a promised list', () => Promise.resolve([Promise.resolve([rejects()]), bad])],
  ['a list behind 100,001 components', () => [Array(100_001), rejects()]],
  ['a section behind 100,001 components', () => [section('S', () => [Array(100_001), rejects()])]],
  ['a list behind a revoked object', () => [revokedProxy({}), rejects()]],
  ['a list behind a revoked array', () => [[rejects(), revokedProxy([])]]],
  ['a section behind a revoked array', () => [section('S', () => [revokedProxy([]), rejects()])]],
  ['a section with an entry that throws', () => [section('S', () => unreadable(rejects()))]],
  ['a nested list with an entry that throws', () => [unreadable(rejects())]],
  [
    'a card behind a revoked object',
    () => [{ type: 'card', components: [revokedProxy({}), rejects()] }],
  ],
  ['card() behind a revoked object', () => [card({ components: [revokedProxy({}), rejects()] })]],
  ['card() behind a revoked array', () => [card({ components: [revokedProxy([]), rejects()] })]],
  ['the header of revoked components', () => ({ header: rejects(), components: revokedProxy([]) })],
  ['too many children', () => Object.assign([rejects()], { length: 200_000 })],
]

test.each(PLACES)('a rejecting promise in %s is never unhandled', async (_name, fetchData) => {
  const response = await createTestApp({ fetchData, logger: false }).request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).not.toBeNull()
  expect(await response.text()).not.toContain('canary')
  await nextMacrotask()
  expect(unhandled).toEqual([])
})

test('a promise that rejects while a promised list is loading is never unhandled', async () => {
  const content = Promise.withResolvers<any>()
  const app = createTestApp({
    logger: false,
    fetchData: (): any => [{ type: 'divider', extra: rejects() }, content.promise],
  })
  const response = app.request(FETCH_DATA)
  await nextMacrotask()
  await nextMacrotask()
  content.resolve([rejects(), bad])
  expect((await response).headers.get('x-sidecard-failure')).toBe('invalid_payload')
  expect(unhandled).toEqual([])
})

test.each<[string, any]>([
  ['the children of onError', { onError: () => [bad, rejects(), [rejects()]] }],
  [
    'children of onError that are too many',
    { onError: () => [rejects(), Object.assign([], { length: 100_001 })] },
  ],
  ['what onError returns', { onError: () => rejects() }],
  ['an object that onError returns', { onError: () => ({ components: [rejects()] }) }],
  ['a logger', { logger: { debug: rejects, info: rejects, warn: rejects, error: rejects } }],
  ['an instrument', { instrument: { span: rejects, onResponse: rejects } }],
  ['auth', { auth: { authenticate: rejects } }],
])('a rejecting promise of %s is never unhandled', async (_name, options) => {
  const app = createTestApp({ logger: false, fetchData: () => [bad], ...options })
  expect((await app.request(FETCH_DATA)).status).toBeLessThan(500)
  await nextMacrotask()
  expect(unhandled).toEqual([])
})

test('handles rejections in the late result of fetchData', async () => {
  const late = Promise.withResolvers<any>()
  const lateSection = Promise.withResolvers<any>()
  const app = createTestApp({
    timeoutMs: 10,
    logger: false,
    fetchData: () => [section('S', () => lateSection.promise), late.promise],
  })
  await app.request(FETCH_DATA)
  late.resolve([rejects()])
  lateSection.resolve([rejects()])
  await nextMacrotask()
  expect(unhandled).toEqual([])
})

test('reports that a promise must be awaited', async () => {
  let message = ''
  const app = createTestApp({
    logger: false,
    onError: (error: any) => void (message = error.message),
    fetchData: () => [{ type: 'text', label: 'Plan', value: Promise.resolve('Pro') } as any],
  })
  await app.request(FETCH_DATA)
  expect(message).toContain('components[0].value: is a promise')
})

/** A function with a `then` method, as Workers RPC returns it. */
function callableThenable(value: unknown): any {
  return Object.assign(() => undefined, {
    then: (resolve: (value: unknown) => void) => resolve(value),
  })
}

test('awaits thenables that are functions, like promises', async () => {
  const one = text({ label: 'a', value: '1' })
  const list = callableThenable([
    callableThenable([one, one]),
    section('S', () => callableThenable([one])),
  ])
  const app = createTestApp({ fetchData: () => list })
  const { components } = await readPayload(await app.request(FETCH_DATA))
  expect(components.map(({ type }: any) => type)).toEqual(['text', 'text', 'card'])
})

test('fetchData may return one child, or a promise of several', async () => {
  const one = text({ label: 'a', value: '1' })
  const length = async (fetchData: () => any) =>
    (await readPayload(await createTestApp({ fetchData }).request(FETCH_DATA))).components.length
  expect(await length(() => one)).toBe(1)
  expect(await length(() => section('S', () => one))).toBe(1)
  expect(await length(async () => [Promise.resolve([one, null, one])])).toBe(2)
  expect(await length(() => null)).toBe(0)
  expect(await length(() => false)).toBe(0)
})

test.each<[string, unknown, string]>([
  ['undefined', undefined, ' It returned undefined: is a return missing?'],
  ['a number', 7, ''],
  ['an object', { rows: [] }, ''],
  ['an object with components that are no list', { header: { title: 'T' }, components: {} }, ''],
  [
    'an object without a header',
    { components: [] },
    ' It returned an object with components, but without a header.',
  ],
])('fetchData that returns %s is a failure with a reason', async (_, returned, reason) => {
  const onError = vi.fn()
  const app = createTestApp({ logger: false, onError, fetchData: (() => returned) as any })
  await app.request(FETCH_DATA)
  expect(onError.mock.calls[0]?.[0].message).toBe(
    `fetchData must return an array of components or payload(…).${reason}`,
  )
})
