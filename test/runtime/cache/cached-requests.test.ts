import { expect, test } from 'vitest'
import { section, text } from 'sidecard'
import { NotAvailableError } from '../../../src/runtime/app/designed-card.ts'
import { memoryStore, payloadCache, sectionCache } from 'sidecard/cache'
import { FETCH_DATA_PARAMETERS } from '../../../src/runtime/contract/parameters.ts'
import { createRecordingLogger, createTestApp, FETCH_DATA, readPayload } from '../../helpers/app.ts'
import { createMapStore, uniqueName } from '../../helpers/cache.ts'
import { eventually } from '../../helpers/eventually.ts'

/** The request of `FETCH_DATA`, and one for each ID in which it differs. */
const PATHS = [
  FETCH_DATA,
  ...FETCH_DATA_PARAMETERS.map((name) =>
    FETCH_DATA.replace(new RegExp(`${name}=[^&]*`), `${name}=other`),
  ),
  '/?request_type=fetch_data&organization_id=org-1',
]

test('requests that differ in one ID never share a payload', async () => {
  const app = createTestApp({
    cache: payloadCache({ store: memoryStore(), ttlSeconds: 60 }),
    fetchData: ({ params }) => [text({ label: 'IDs', value: JSON.stringify(params) })],
  })
  const ask = async (path: string) => {
    const response = await app.request(path)
    const { components } = await readPayload(response)
    return [response.headers.get('x-sidecard-cache'), components[0].value]
  }
  const shown: string[] = []
  for (const path of PATHS) {
    const [status, value] = await ask(path)
    expect(status).toBe('miss')
    shown.push(value)
  }
  expect(new Set(shown).size).toBe(PATHS.length)
  for (const [index, path] of PATHS.entries())
    expect(await ask(path)).toEqual(['hit', shown[index]])
})

test('a cached section is not shared by organizations', async () => {
  const cache = sectionCache({ name: uniqueName(), store: memoryStore(), ttlSeconds: 60 })
  const app = createTestApp({
    fetchData: ({ params }) => [
      section('Errors', () => [text({ label: 'Of', value: params.organization_id ?? 'none' })], {
        cache,
        key: ['same'],
      }),
    ],
  })
  for (const organization of ['org-1', 'org-2', 'org-1']) {
    const path = FETCH_DATA.replace('organization_id=org-1', `organization_id=${organization}`)
    const { components } = await readPayload(await app.request(path))
    expect(components[0].components[0].value).toBe(organization)
  }
})

test('a section is served from a store outside the process', async () => {
  const store = createMapStore()
  const cache = sectionCache({ name: uniqueName(), store, ttlSeconds: 60 })
  let calls = 0
  const app = createTestApp({
    fetchData: () => [
      section('Errors', () => [text({ label: 'Call', value: String((calls += 1)) })], {
        cache,
        key: ['a'],
      }),
    ],
  })
  const miss = await (await app.request(FETCH_DATA)).text()
  await eventually(() => expect(store.values.size).toBe(1))
  expect(await (await app.request(FETCH_DATA)).text()).toBe(miss)
  expect(calls).toBe(1)
})

test('a payload of which one section has nothing to show is not cached', async () => {
  let calls = 0
  const app = createTestApp({
    cache: payloadCache({ store: memoryStore(), ttlSeconds: 60 }),
    fetchData: () => [
      text({ label: 'Call', value: String((calls += 1)) }),
      section('Errors', () => {
        throw new NotAvailableError('account_id')
      }),
    ],
  })
  for (const call of ['1', '2']) {
    const { components } = await readPayload(await app.request(FETCH_DATA))
    expect(components[0].value).toBe(call)
  }
})

test('with errors: status, older content of a section is a response, logged as a warning', async () => {
  const cache = sectionCache({
    name: uniqueName(),
    store: memoryStore(),
    ttlSeconds: 0.001,
    staleSeconds: 600,
  })
  const logger = createRecordingLogger()
  let isDown = false
  const load = () => {
    if (isDown) throw new Error('down')
    return text({ label: 'Plan', value: 'Pro' })
  }
  const fail = () => Promise.reject(new Error('x'))
  const app = createTestApp({
    logger,
    errors: 'status',
    fetchData: ({ params }) => [
      section('Errors', load, { cache, key: ['a'] }),
      params.account_id === 'other' && section('Broken', fail),
    ],
  })
  await app.request(FETCH_DATA)
  isDown = true
  await eventually(async () => {
    const { status, headers } = await app.request(FETCH_DATA)
    expect([status, headers.get('x-sidecard-failure')]).toEqual([
      200,
      expect.stringMatching(/^section_failed.*;stale/),
    ])
  })
  expect(logger.lines.at(-1)?.level).toBe('warn')
  const mixed = FETCH_DATA.replace('account-1', 'other')
  expect((await app.request(mixed)).status).toBe(500)
  expect(logger.lines.at(-1)?.level).toBe('error')
})

test('a failed response names no cache result, and is logged once', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({
    logger,
    cache: payloadCache({ store: memoryStore(), ttlSeconds: 60 }),
    fetchData: () => Promise.reject(new Error('down')),
  })
  const { headers } = await app.request(FETCH_DATA)
  expect(headers.get('x-sidecard-failure')).toBe('callback_failed')
  expect(headers.get('x-sidecard-cache')).toBeNull()
  expect(logger.lines).toMatchObject([{ level: 'error', fields: { cache: 'miss' } }])
})

test('a failure of a shared call is logged in full once, with the request that started it', async () => {
  const logger = createRecordingLogger()
  const gate = Promise.withResolvers<void>()
  const app = createTestApp({
    logger,
    cache: payloadCache({ store: memoryStore(), ttlSeconds: 60 }),
    fetchData: async () => {
      await gate.promise
      throw new Error('db down')
    },
  })
  const env = {}
  const both = [1, 2].map(async () => app.request(FETCH_DATA, {}, env))
  gate.resolve()
  await Promise.all(both)
  const messages = logger.lines.map(({ fields }) => (fields['failures'] as any[])[0].message)
  expect(new Set(messages)).toEqual(new Set(['db down', undefined]))
})

test('a warning of the cache without an error has no error in its line', async () => {
  const logger = createRecordingLogger()
  const store = { get: async () => 'garbage', set() {} }
  const app = createTestApp({ logger, cache: payloadCache({ store, ttlSeconds: 60 }) })
  await app.request(FETCH_DATA)
  const [line] = logger.lines
  expect(line).toMatchObject({ level: 'warn', fields: { problem: 'invalid_entry' } })
  expect(Object.keys(line!.fields)).not.toContain('error')
})
