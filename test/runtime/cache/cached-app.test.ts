import fc from 'fast-check'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { audit, secretHeader, section, text } from 'sidecard'
import { NotAvailableError } from '../../../src/runtime/app/designed-card.ts'
import { memoryStore, payloadCache } from 'sidecard/cache'
import {
  FETCH_DATA,
  createTestApp,
  neverResolves,
  readPayload,
  createRecordingLogger,
} from '../../helpers/app.ts'
import { createGate, createMapStore, isEntryName } from '../../helpers/cache.ts'
import { validPayload } from '../../helpers/payload-arbitraries.ts'
import { eventually } from '../../helpers/eventually.ts'

const START = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

type AppOptions = NonNullable<Parameters<typeof createTestApp>[0]>

/** An app with numbered payloads, and a function that requests one: `miss 1`. */
function createNumberedApp(options: AppOptions, source: () => unknown = () => undefined) {
  const logger = createRecordingLogger()
  const calls = { count: 0 }
  const app = createTestApp({
    logger,
    async fetchData() {
      const call = String((calls.count += 1))
      await source()
      return [text({ label: 'Call', value: call })]
    },
    ...options,
  })
  const background: Promise<unknown>[] = []
  const executionCtx = {
    waitUntil: (promise: Promise<unknown>) => void background.push(promise),
    passThroughOnException() {},
    props: {},
  }
  const ask = async (path = FETCH_DATA, env: object = {}, init: RequestInit = {}) => {
    const response = await app.request(path, init, env, executionCtx)
    const { components } = await readPayload(response)
    return `${response.headers.get('x-sidecard-cache')} ${components[0].value}`
  }
  const finish = async () => {
    while (background.length > 0) await background.shift()
  }
  return { app, ask, calls, logger, finish }
}

const ENV = {}

const down = (): Promise<never> => Promise.reject(new Error('down'))

test('caching is off by default', async () => {
  const { ask } = createNumberedApp({})
  expect([await ask(), await ask()]).toEqual(['null 1', 'null 2'])
})

test('serves fresh and then stale payloads, reloads expired ones, and reports it in the header and the log', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, staleSeconds: 30 })
  const { ask, finish, logger } = createNumberedApp({ cache })
  expect(await ask(FETCH_DATA, ENV)).toBe('miss 1')
  vi.setSystemTime(START + 60_000)
  expect(await ask(FETCH_DATA, ENV)).toBe('hit 1')
  vi.setSystemTime(START + 61_000)
  expect(await ask(FETCH_DATA, ENV)).toBe('stale 1')
  await finish()
  expect(await ask(FETCH_DATA, ENV)).toBe('hit 2')
  vi.setSystemTime(START + 160_000)
  expect(await ask(FETCH_DATA, ENV)).toBe('miss 3')
  const statuses = logger.lines.map(({ fields }) => fields.cache)
  expect(statuses).toEqual(['miss', 'hit', 'stale', 'hit', 'miss'])
})

test('a refresh that fails is logged, and the stale payload stays until it expires', async () => {
  let isDown = false
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, staleSeconds: 600 })
  const { ask, finish, logger } = createNumberedApp({ cache }, () => {
    if (isDown) throw new Error('the source is down')
  })
  await ask(FETCH_DATA, ENV)
  isDown = true
  vi.setSystemTime(START + 61_000)
  for (const call of [2, 3]) {
    expect(await ask(FETCH_DATA, ENV)).toBe('stale 1')
    await finish()
    const errors = logger.lines.filter(({ level }) => level === 'error')
    expect(JSON.stringify(errors.at(-1))).toContain('the source is down')
    expect(errors).toHaveLength(call - 1)
    vi.advanceTimersByTime(2_000)
  }
  isDown = false
  await ask(FETCH_DATA, ENV)
  await finish()
  expect(await ask(FETCH_DATA, ENV)).toBe('hit 4')
})

test('five hundred concurrent requests share one call of fetchData', async () => {
  const gate = createGate()
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60 })
  const { ask, calls } = createNumberedApp({ cache }, () => gate.opened)
  const asking = Array.from({ length: 500 }, () => ask(FETCH_DATA, ENV))
  gate.open()
  expect(new Set(await Promise.all(asking))).toEqual(new Set(['miss 1']))
  expect(calls.count).toBe(1)
})

test('a caller that disconnects does not affect the others', async () => {
  const gate = createGate()
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60 })
  const signals: AbortSignal[] = []
  const app = createTestApp({
    cache,
    async fetchData(ctx) {
      signals.push(ctx.signal)
      await gate.opened
      ctx.signal.throwIfAborted()
      return [text({ label: 'Plan', value: 'Pro' })]
    },
  })
  const first = new AbortController()
  const leaving = app.request(FETCH_DATA, { signal: first.signal })
  const staying = app.request(FETCH_DATA)
  first.abort()
  gate.open()
  expect((await readPayload(await staying)).components[0].value).toBe('Pro')
  expect(signals).toHaveLength(1)
  await leaving
})

test('a call that never ends times out for all its callers', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60 })
  const app = createTestApp({ cache, timeoutMs: 20, fetchData: neverResolves })
  const responses = await Promise.all([app.request(FETCH_DATA), app.request(FETCH_DATA)])
  for (const { headers } of responses) expect(headers.get('x-sidecard-failure')).toBe('timeout')
})

test.each<[string, AppOptions]>([
  ['fetchData throws', { fetchData: down }],
  ['fetchData times out', { fetchData: neverResolves, timeoutMs: 10 }],
  ['a component is invalid', { fetchData: () => [{ type: 'text', label: 'Plan' } as never] }],
  ['a promised component rejects', { fetchData: () => [Promise.reject(new Error('part'))] }],
  [
    'a section fails',
    { fetchData: () => [section('Orders', () => Promise.reject(new Error('x')))] },
  ],
  [
    'a section times out',
    { fetchData: () => [section('Orders', neverResolves, { timeoutMs: 5 })] },
  ],
  [
    'there are too many components',
    { fetchData: () => Array.from({ length: 1_001 }, () => text({ label: 'a', value: 'b' })) },
  ],
  [
    'an ID is missing',
    { fetchData: (ctx) => [text({ label: 'a', value: ctx.require('app_id') })] },
  ],
  [
    'a section has a designed card',
    {
      fetchData: () => [
        section('Orders', () => {
          throw new NotAvailableError('app_id')
        }),
      ],
    },
  ],
  [
    'onError replaces a failure',
    {
      fetchData: down,
      onError: () => [text({ label: 'a', value: 'b' })],
    },
  ],
])('does not cache a payload if %s', async (_, options) => {
  const store = createMapStore()
  const { app, finish } = createNumberedApp({
    ...options,
    cache: payloadCache({ store, ttlSeconds: 60 }),
  })
  const path = '/?request_type=fetch_data&organization_id=o&issue_id=1'
  for (const _round of [1, 2]) {
    const response = await app.request(path)
    expect(response.headers.get('x-sidecard-cache')).not.toBe('hit')
    await response.text()
  }
  await finish()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect([...store.values.keys()].filter(isEntryName)).toEqual([])
})

test('authenticates a request before it reads the cache', async () => {
  const store = createMapStore()
  const get = vi.fn<typeof store.get>(store.get)
  const cache = payloadCache({ store: { ...store, get }, ttlSeconds: 60 })
  const { app, calls } = createNumberedApp({ cache, auth: secretHeader('x-secret', 's3cret') })
  const ask = (secret: string) => app.request(FETCH_DATA, { headers: { 'x-secret': secret } })
  expect((await ask('s3cret')).status).toBe(200)
  expect((await ask('wrong')).status).toBe(401)
  expect((await app.request(FETCH_DATA)).status).toBe(401)
  // The entry and its mark.
  expect([get.mock.calls.length, calls.count]).toEqual([2, 1])
})

test('does not cache handshakes', async () => {
  const store = createMapStore()
  const { app } = createNumberedApp({ cache: payloadCache({ store, ttlSeconds: 60 }) })
  for (const code of ['a', 'b']) {
    const response = await app.request(`/?request_type=verify&code=${code}`)
    expect(await response.json()).toEqual({ code })
  }
  expect(store.values.size).toBe(0)
})

test('sends no-store even with a cache', async () => {
  const { app } = createNumberedApp({
    cache: payloadCache({ store: memoryStore(), ttlSeconds: 60 }),
  })
  for (const status of ['miss', 'hit']) {
    const { headers } = await app.request(FETCH_DATA)
    expect(headers.get('x-sidecard-cache')).toBe(status)
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('apps and mounts do not share entries of one store, and own query parameters are part of the key', async () => {
  const store = memoryStore()
  const create = (name: string) =>
    createTestApp({
      cache: payloadCache({ store, ttlSeconds: 60 }),
      fetchData: ({ c }) => [text({ label: name, value: `${name} ${c.req.url.split('?')[0]}` })],
    })
  const server = new Hono()
    .route('/a', create('a'))
    .route('/b', create('b'))
    .route('/of/:t', create('t'))
  const query = FETCH_DATA.slice(1)
  const urls = ['/a', '/b', '/of/x', '/of/y'].map((path) => `https://one.example${path}${query}`)
  urls.push(`https://two.example/a${query}`, `https://one.example/a${query}&plan=1`)
  const ask = async (url: string) => {
    const response = await server.request(url)
    return `${response.headers.get('x-sidecard-cache')} ${(await readPayload(response)).components[0].value}`
  }
  const first = []
  for (const url of urls) first.push(await ask(url))
  expect(first.every((shown) => shown.startsWith('miss'))).toBe(true)
  for (const [index, url] of urls.entries()) {
    expect(await ask(url)).toBe(first[index]?.replace('miss', 'hit'))
  }
})

test('two environments never share a payload', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60 })
  const { ask } = createNumberedApp({ cache })
  const [one, two] = [{ NAME: 'one' }, { NAME: 'two' }]
  // Which of the two is loaded first is open: their keys are hashed at the same time.
  const loaded = await Promise.all([ask(FETCH_DATA, one), ask(FETCH_DATA, two)])
  expect(loaded.toSorted()).toEqual(['miss 1', 'miss 2'])
  expect(await Promise.all([ask(FETCH_DATA, one), ask(FETCH_DATA, two)])).toEqual(
    loaded.map((shown) => shown.replace('miss', 'hit')),
  )
})

test('warns once about a host that passes a new env object with each request', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60 })
  const { ask, logger } = createNumberedApp({ cache })
  for (let call = 1; call <= 300; call += 1) expect(await ask(FETCH_DATA, {})).toBe(`miss ${call}`)
  const warnings = logger.lines.filter(({ level }) => level === 'warn')
  expect(warnings).toMatchObject([
    {
      fields: {
        problem: 'new_env_per_request',
        error: { message: 'Pass the same env object with each request.' },
      },
    },
  ])
})

test.each<[string, string, string]>([
  ['a script URL', '"Pro"}', '"Pro"},{"type":"link","label":"a","url":"javascript:alert(1)"}'],
  ['an unknown component', '"type":"text"', '"type":"html"'],
  ['an unknown field', '"label"', '"onclick":"x","label"'],
  ['JSON that is not as we write it', '"label":"Plan"', '"label":"evil","label":"Plan"'],
])('an entry with an injected %s is not served', async (_, from, to) => {
  const store = createMapStore()
  const logger = createRecordingLogger()
  const app = createTestApp({ logger, cache: payloadCache({ store, ttlSeconds: 60 }) })
  const genuine = await (await app.request(FETCH_DATA)).text()
  await eventually(() => expect(store.values.size).toBe(1))
  expect((await app.request(FETCH_DATA)).headers.get('x-sidecard-cache')).toBe('hit')
  for (const [key, value] of store.values) {
    expect(value).toContain(from)
    store.values.set(key, value.replace(from, to))
  }
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-cache')).toBe('miss')
  expect(await response.text()).toBe(genuine)
  expect(logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { fields: { msg: 'sidecard cache', app: 'Test', problem: 'invalid_entry' } },
  ])
})

test('a stored entry with an invented match does not reach the audit record or the log', async () => {
  const store = createMapStore()
  const logger = createRecordingLogger()
  const records: unknown[] = []
  const app = createTestApp({
    logger,
    instrument: audit((record) => void records.push(record)),
    cache: payloadCache({ store, ttlSeconds: 60 }),
  })
  await app.request(FETCH_DATA)
  await eventually(() => expect(store.values.size).toBe(1))
  for (const [key, value] of store.values) {
    store.values.set(key, value.replace('"componentCount"', '"via":"admin","componentCount"'))
  }
  expect((await app.request(FETCH_DATA)).headers.get('x-sidecard-cache')).toBe('miss')
  expect(JSON.stringify([records, logger.lines])).not.toContain('admin')
  expect(records).toHaveLength(2)
})

test('every valid payload is served from a store outside the process', async () => {
  await fc.assert(
    fc.asyncProperty(validPayload, async (payload) => {
      const store = createMapStore()
      // The app sends its own version.
      const fetchData = () => ({ ...payload, version: '1.0.0' }) as never
      const app = createTestApp({ cache: payloadCache({ store, ttlSeconds: 60 }), fetchData })
      const miss = await app.request(FETCH_DATA)
      expect(miss.headers.get('x-sidecard-failure')).toBeNull()
      await eventually(() => expect(store.values.size).toBe(1))
      const hit = await app.request(FETCH_DATA)
      expect(hit.headers.get('x-sidecard-cache')).toBe('hit')
      expect(await hit.text()).toBe(await miss.text())
    }),
    { numRuns: 200 },
  )
})

test('problems of the cache are logged without personal values', async () => {
  const logger = createRecordingLogger()
  const store = { get: () => Promise.reject(new Error('no Redis')), set: () => undefined }
  const cache = payloadCache({ store, ttlSeconds: 60, storeTimeoutMs: 5 })
  const { ask, finish } = createNumberedApp({ logger, cache })
  expect(await ask(FETCH_DATA, ENV)).toBe('miss 1')
  await finish()
  const warnings = logger.lines.filter(({ level }) => level === 'warn')
  const traceId = expect.stringMatching(/^[a-z\d]{12}$/)
  expect(warnings.map(({ fields }) => fields)).toEqual([
    {
      msg: 'sidecard cache',
      app: 'Test',
      traceId,
      problem: 'store_failed',
      error: { name: 'Error', message: 'no Redis', stack: expect.any(String) },
    },
  ])
  expect(JSON.stringify(logger.lines)).not.toMatch(/jane|account-1/)
})

test('a logger, an instrument and a runtime that fail do not affect the payload', async () => {
  const throws = () => {
    throw new Error('down')
  }
  const app = createTestApp({
    logger: { debug: throws, info: throws, warn: throws, error: throws },
    instrument: { span: throws, onResponse: throws },
    cache: payloadCache({ store: { get: throws, set: throws }, ttlSeconds: 60 }),
  })
  const executionCtx = { waitUntil: throws, passThroughOnException: throws, props: {} }
  const response = await app.request(FETCH_DATA, {}, {}, executionCtx)
  expect(response.headers.get('x-sidecard-cache')).toBe('miss')
  expect((await readPayload(response)).components[0].value).toBe('Pro')
})
