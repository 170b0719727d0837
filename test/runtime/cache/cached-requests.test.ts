import { expect, test } from 'vitest'
import { section, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { createRecordingLogger, createTestApp, FETCH_DATA, readPayload } from '../../helpers/app.ts'
import { createMapStore, uniqueName } from '../../helpers/cache.ts'
import { eventually } from '../../helpers/eventually.ts'

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
