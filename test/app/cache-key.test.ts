import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Hono } from 'hono'
import { memoryCache, type SidecardOptions, text } from 'sidecard'
import { FETCH_DATA, makeApp, payloadOf, recordingLogger } from '../helpers/app.ts'
import { fetchDataPath, recordingStore } from '../helpers/cache.ts'

const NAMES = [
  'app_id',
  'widget_id',
  'issue_id',
  'organization_id',
  'account_id',
  'requester_id',
  'requester_email',
] as const

/** An app that tells back whom it was asked about. */
function telling(options: Partial<SidecardOptions> = {}) {
  return makeApp({
    cache: { ttlSeconds: 60, store: memoryCache() },
    fetchData: ({ params }) => [
      text({ label: 'Ids', value: JSON.stringify(NAMES.map((name) => params[name] ?? null)) }),
    ],
    ...options,
  })
}

const told = async (response: Response | Promise<Response>) =>
  JSON.parse((await payloadOf(await response)).components[0].value)

test('customers whose ids meet when joined by any separator never share an answer', async () => {
  // Two apps over one store, each id full of what keys are joined with.
  const nasty = fc.array(
    fc.constantFrom(
      'a',
      '',
      ',',
      ':',
      '/',
      '|',
      '"',
      '"',
      '\\',
      '\0',
      '\n',
      '[',
      ']',
      'null',
      '%',
      ' ',
      '+',
      '&',
      '=',
      '\u2028',
      'é',
      '🙂',
      '\ud800',
    ),
    { maxLength: 4 },
  )
  const ids = fc.tuple(...NAMES.map(() => fc.option(nasty.map((parts) => parts.join('')))))
  const app = telling({ cache: { ttlSeconds: 60, store: memoryCache({ maxEntries: 50_000 }) } })
  await fc.assert(
    fc.asyncProperty(ids, async (values) => {
      const given = NAMES.flatMap((name, at) => (values[at] === null ? [] : [[name, values[at]!]]))
      const path = fetchDataPath(Object.fromEntries(given))
      // What a query can carry, and empty is absent.
      const expected = values.map((value) => value?.toWellFormed() || null)
      expect(await told(app.request(path))).toEqual(expected)
      expect(await told(app.request(path))).toEqual(expected)
    }),
    { numRuns: 2_000 },
  )
})

test('an absent id is not the id "null", "undefined" or ""', async () => {
  const app = telling()
  const seen = new Set<string>()
  for (const ids of [{}, { account_id: 'null' }, { account_id: 'undefined' }] as const) {
    seen.add(JSON.stringify(await told(app.request(fetchDataPath(ids)))))
  }
  expect(seen.size).toBe(3)
})

test('moving an id from one parameter to another is another key', async () => {
  const app = telling()
  for (const name of NAMES) {
    const expected = NAMES.map((other) => (other === name ? 'x' : null))
    expect(await told(app.request(fetchDataPath({ [name]: 'x' })))).toEqual(expected)
  }
})

test('the order of the parameters does not matter', async () => {
  const app = telling()
  const [path, query] = FETCH_DATA.split('?')
  const reversed = `${path}?${query!.split('&').toReversed().join('&')}`
  await app.request(FETCH_DATA)
  expect((await app.request(reversed)).headers.get('x-sidecard-cache')).toBe('hit')
})

test('apps over one store share nothing, nor do mounts of one app', async () => {
  const store = memoryCache()
  const make = (name: string) =>
    makeApp({
      cache: { ttlSeconds: 60, store },
      fetchData: ({ c }) => [text({ label: name, value: c.req.param('tenant' as never) ?? name })],
    })
  const server = new Hono()
    .route('/a', make('a'))
    .route('/b', make('b'))
    .route('/of/:tenant', make('c'))
  const shown = async (path: string, host = 'http://one.example.com') =>
    (await payloadOf(await server.request(`${host}${path}${FETCH_DATA.slice(1)}`))).components[0]
      .value
  for (const path of ['/a', '/b', '/of/x', '/of/y']) {
    expect(await shown(path)).toBe(path.split('/').at(-1))
    expect(await shown(path)).toBe(path.split('/').at(-1))
  }
  expect(await shown('/of/x', 'http://two.example.com')).toBe('x')
})

test('key names what the answer depends on, and nothing else counts', async () => {
  const app = telling({
    cache: { ttlSeconds: 60, store: memoryCache(), key: ({ params }) => [params.account_id] },
  })
  await app.request(fetchDataPath({ account_id: 'a', issue_id: '1' }))
  const status = async (ids: Record<string, string>) =>
    (await app.request(fetchDataPath(ids))).headers.get('x-sidecard-cache')
  expect(await status({ account_id: 'a', issue_id: '2' })).toBe('hit')
  expect(await status({ account_id: 'b', issue_id: '1' })).toBe('miss')
})

test('key keeps an answer out by returning nothing', async () => {
  const store = recordingStore()
  const app = telling({ cache: { ttlSeconds: 60, store, key: () => undefined } })
  expect((await app.request(FETCH_DATA)).headers.get('x-sidecard-cache')).toBeNull()
  expect(store.keys).toEqual([])
})

test.each<[string, unknown]>([
  ['a promise', Promise.resolve(['account-1'])],
  ['an array with a promise', [Promise.resolve('account-1')]],
  ['a text', 'account-1'],
  ['null', null],
  ['a Map', new Map([['account', 'account-1']])],
  ['an array of objects', [{ id: 1 }]],
  ['NaN', [Number.NaN]],
])('a key that is %s keeps nothing, and warns', async (_, key) => {
  const logger = recordingLogger()
  const store = recordingStore()
  const app = telling({ logger, cache: { ttlSeconds: 60, store, key: () => key as never } })
  expect((await told(app.request(FETCH_DATA)))[4]).toBe('account-1')
  expect(store.keys).toEqual([])
  expect(logger.lines[0]).toMatchObject({ level: 'warn', fields: { problem: 'invalid_cache_key' } })
})

test('a key that requires an id that is not there is no fault', async () => {
  const app = telling({
    cache: { ttlSeconds: 60, store: memoryCache(), key: (ctx) => [ctx.require('account_id')] },
  })
  const response = await app.request(fetchDataPath({ issue_id: '1' }))
  expect((await told(response))[2]).toBe('1')
  expect(response.headers.get('x-sidecard-cache')).toBeNull()
})
