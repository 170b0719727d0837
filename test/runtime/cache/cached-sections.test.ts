import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { card as createCard, section, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import {
  FETCH_DATA,
  createTestApp,
  neverResolves,
  readPayload,
  createRecordingLogger,
} from '../../helpers/app.ts'
import { createGate, createMapStore, uniqueName } from '../../helpers/cache.ts'
import { eventually } from '../../helpers/eventually.ts'

const START = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

const down = () => Promise.reject(new Error('the source is down'))

/** An app with one cached section, whose source a test can replace. */
function createSectionApp(store = memoryStore(), timeoutMs = 30_000) {
  const cache = sectionCache({ name: uniqueName(), store, ttlSeconds: 60, staleSeconds: 600 })
  const source = {
    calls: 0,
    load: async (): Promise<ReturnType<typeof text>[]> => [
      text({ label: 'Call', value: String(source.calls) }),
    ],
  }
  const logger = createRecordingLogger()
  const onError = vi.fn<() => undefined>()
  const app = createTestApp({
    logger,
    onError,
    fetchData: ({ params }) => [
      section(
        'Errors',
        () => {
          source.calls += 1
          return source.load()
        },
        { cache, key: [params.account_id], timeoutMs },
      ),
    ],
  })
  const ask = async (path = FETCH_DATA) => {
    const response = await app.request(path)
    const { components } = await readPayload(response)
    return { failure: response.headers.get('x-sidecard-failure'), card: components[0] }
  }
  return { app, ask, source, logger, onError }
}

test('a cached section loads once for all issues of an account, within its TTL', async () => {
  const { ask, source } = createSectionApp()
  const first = await Promise.all(Array.from({ length: 50 }, () => ask()))
  const other = await ask(FETCH_DATA.replace('issue-1', 'issue-2'))
  for (const { card, failure } of [...first, other]) {
    expect(failure).toBeNull()
    expect(card).toEqual({
      type: 'card',
      header: { title: 'Errors' },
      components: [{ type: 'text', label: 'Call', value: '1' }],
    })
  }
  expect(source.calls).toBe(1)
})

test('a caller that disconnects does not affect the section of the others', async () => {
  const { app, ask, source } = createSectionApp()
  const gate = createGate()
  source.load = async () => {
    await gate.opened
    return [text({ label: 'Call', value: 'shared' })]
  }
  const first = new AbortController()
  const leaving = app.request(FETCH_DATA, { signal: first.signal })
  const staying = ask()
  await eventually(() => expect(source.calls).toBe(1))
  first.abort()
  gate.open()
  expect((await staying).card.components[0].value).toBe('shared')
  expect(source.calls).toBe(1)
  await leaving
})

test.each<[string, () => Promise<never>, string]>([
  ['fails', down, 'section_failed;component=0;stale'],
  ['times out', neverResolves, 'section_timeout;component=0;stale'],
])('shows stale content with its time if the refresh %s', async (_, load, failure) => {
  const { ask, source, onError, logger } = createSectionApp(memoryStore(), 50)
  await ask()
  source.load = load
  vi.setSystemTime(START + 61_000)
  const stale = await ask()
  expect(stale.failure).toBe(failure)
  const kind = failure.replace(/;.*/, '')
  expect(logger.lines.at(-1)).toMatchObject({
    level: 'warn',
    fields: { outcome: kind, failures: [{ kind, section: 'Errors', component: 0, stale: true }] },
  })
  expect(stale.card.components).toEqual([
    { type: 'text', label: 'Call', value: '1' },
    { type: 'date_time', label: 'As of', value: new Date(START).toISOString() },
  ])
  expect(onError).toHaveBeenCalledTimes(1)
})

test('an invalid component is a failure of the load, and is not cached', async () => {
  const { ask, source } = createSectionApp()
  source.load = async () => [{ type: 'text', label: 'Plan' } as never]
  expect((await ask()).failure).toMatch(/^section_failed/)
  source.load = async () => [createCard({ components: [] }) as never]
  expect((await ask()).failure).toMatch(/^section_failed/)
  source.load = async () => [text({ label: 'Plan', value: 'Pro' })]
  expect((await ask()).failure).toBeNull()
})

test('content with an injected script URL is loaded again', async () => {
  const store = createMapStore()
  const { ask, source, logger } = createSectionApp(store)
  await ask()
  await eventually(() => expect(store.values.size).toBe(1))
  // This hit validates the genuine content.
  await ask()
  for (const [key, value] of store.values) {
    const evil = '[{"type":"link","label":"a","url":"javascript:alert(1)"}]'
    store.values.set(key, value.replace(/\n.*/s, `\n${evil}`))
  }
  expect((await ask()).card.components).toEqual([{ type: 'text', label: 'Call', value: '2' }])
  expect(source.calls).toBe(2)
  expect(logger.lines.map(({ fields }) => fields.problem)).toContain('invalid_entry')
})

test('warns once about a host that passes a new env object with each request', async () => {
  const cache = sectionCache({ name: uniqueName(), store: memoryStore(), ttlSeconds: 60 })
  const logger = createRecordingLogger()
  const fetchData = () => [section('Bank', () => [], { cache, key: ['a'] })]
  const app = createTestApp({ logger, fetchData })
  for (let call = 0; call < 300; call += 1) await app.request(FETCH_DATA, {}, {})
  const warnings = logger.lines.filter(({ level }) => level === 'warn')
  const error = { message: 'Pass the same env object with each request.' }
  expect(warnings).toMatchObject([{ fields: { problem: 'new_env_per_request', error } }])
})

test('a problem of a store is logged without values of the request, even if user code fails as well', async () => {
  const throws = () => {
    throw new Error('no Redis')
  }
  const logger = createRecordingLogger()
  const store = { get: throws, set: throws }
  const cache = sectionCache({ name: uniqueName(), store, ttlSeconds: 60 })
  const load = () => text({ label: 'Plan', value: 'Pro' })
  const fetchData = () => [section('Bank', load, { cache, key: ['a'] })]
  const instrument = { span: throws, onResponse: throws }
  const executionCtx = { waitUntil: throws, passThroughOnException: throws, props: {} }
  for (const sink of [logger, { debug: throws, info: throws, warn: throws, error: throws }]) {
    const app = createTestApp({ logger: sink, instrument, fetchData })
    const response = await app.request(FETCH_DATA, {}, {}, executionCtx)
    expect((await readPayload(response)).components[0].components[0].value).toBe('Pro')
  }
  const error = { name: 'Error', message: 'no Redis', stack: expect.any(String) }
  const line = { msg: 'sidecard cache', app: 'Test', traceId: expect.any(String) }
  expect(logger.lines).toContainEqual({
    level: 'warn',
    fields: { ...line, problem: 'store_failed', error },
  })
  expect(JSON.stringify(logger.lines)).not.toMatch(/jane|account-1/)
})
