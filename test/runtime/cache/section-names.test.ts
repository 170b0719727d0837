import { expect, test } from 'vitest'
import { section, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { createRecordingLogger, createTestApp, FETCH_DATA } from '../../helpers/app.ts'
import { uniqueName } from '../../helpers/cache.ts'

const create = (name: string) =>
  sectionCache({ name, store: memoryStore(), ttlSeconds: 60, staleSeconds: 60 })

/** An app whose sections use the current caches. */
function createApp(caches: ReturnType<typeof create>[]) {
  const logger = createRecordingLogger()
  const errors: Error[] = []
  const app = createTestApp({
    logger,
    onError: (error) => void errors.push(error as Error),
    fetchData: () =>
      caches.map((cache, index) =>
        section(`S${index}`, () => text({ label: 'a', value: 'b' }), { cache, key: [index] }),
      ),
  })
  const warnings = () =>
    logger.lines.filter(({ fields }) => fields['problem'] === 'name_reused').length
  return { app, errors, warnings, lines: logger.lines }
}

test('a module that is evaluated again replaces its cache, and warns once', async () => {
  const name = uniqueName()
  const caches = [create(name)]
  const { app, errors, warnings, lines } = createApp(caches)
  await app.request(FETCH_DATA)
  expect(warnings()).toBe(0)
  for (const _ of [1, 2, 3]) {
    caches[0] = create(name)
    // oxlint-disable-next-line no-await-in-loop -- one evaluation after the other
    await app.request(FETCH_DATA)
  }
  expect([errors, warnings()]).toEqual([[], 1])
  const warning = lines.find(({ fields }) => fields['problem'] === 'name_reused')
  expect(warning?.fields['error']).toMatchObject({ message: `The name is "${name}".` })
})

test('the module of an app that is evaluated again has its own cache', async () => {
  const name = uniqueName()
  const first = createApp([create(name)])
  const second = createApp([create(name)])
  await first.app.request(FETCH_DATA)
  await second.app.request(FETCH_DATA)
  await first.app.request(FETCH_DATA)
  expect([...first.errors, ...second.errors]).toEqual([])
})

test.each([
  [[0, 0, 1, 1], []],
  [[0, 1], []],
  [[1, 1], []],
])('caches of evaluations %j, used one after the other, are no error', async (order, expected) => {
  const name = uniqueName()
  const created = [create(name), create(name)] as const
  const errors: Error[] = []
  for (const index of order) {
    const { app, errors: own } = createApp([created[index]!])
    await app.request(FETCH_DATA)
    errors.push(...own)
  }
  expect(errors).toEqual(expected)
})

test('two caches with one name in one app are an error', async () => {
  const name = uniqueName()
  const { app, errors } = createApp([create(name), create(name)])
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('section_failed;component=1')
  expect(errors[0]).toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(`two caches of this app have the name "${name}"`),
  })
})
