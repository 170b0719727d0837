import { afterEach, expect, test, vi } from 'vitest'
import { memoryStore, sectionCache, type StoreAdapter } from 'sidecard/cache'
import {
  createCache,
  createMapStore,
  createNumberedSource,
  createScope,
  fetchContent,
  fetchSection,
  uniqueName,
} from '../../helpers/cache.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const hangs = () => new Promise<never>(() => undefined)
const rejects = () => Promise.reject(new Error('down'))
const throws = () => {
  throw new Error('down')
}

test.each<[string, () => never | Promise<never>, string]>([
  ['throws', throws, 'store_failed'],
  ['rejects', rejects, 'store_failed'],
  ['hangs', hangs, 'store_timeout'],
  ['returns a thenable that throws', () => ({ then: throws }) as never, 'store_failed'],
  ['returns a thenable function that rejects', () => thenableFunction(), 'store_failed'],
  [
    'returns a thenable that cannot be read',
    () => Object.defineProperty({}, 'then', { get: throws }) as never,
    'store_failed',
  ],
])(
  'a store that %s is left alone, with one warning, and memory serves',
  async (_, access, problem) => {
    const store: StoreAdapter = { get: access, set: access }
    const cache = createCache({ store, ttlSeconds: 60, storeTimeoutMs: 5 })
    const section = sectionCache({ name: uniqueName(), store, ttlSeconds: 60, storeTimeoutMs: 5 })
    const source = createNumberedSource()
    for (const [shown, problems] of [
      ['miss {"n":1}', [problem]],
      ['hit {"n":1}', []],
    ]) {
      const { text, scope } = await fetchContent(cache, source)
      expect(text).toBe(shown)
      await scope.finish()
      expect(scope.warnings.map((warning) => warning.problem)).toEqual(problems)
    }
    const { text, scope } = await fetchSection(section, { load: async () => '[1]' })
    expect(text).toBe('miss [1]')
    await scope.finish()
    expect(scope.warnings.map((warning) => warning.problem)).toEqual([problem])
  },
)

/** Workers RPC returns promises that are functions. */
function thenableFunction(): never {
  const then = (_: unknown, reject: (error: unknown) => void) => reject(new Error('down'))
  return Object.assign(() => undefined, { then }) as never
}

test('a store that rejects after its timeout does not end the process', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const store = { get: () => promise, set: () => promise }
  const cache = createCache({ store, ttlSeconds: 60, storeTimeoutMs: 2 })
  const { scope } = await fetchContent(cache, createNumberedSource())
  await scope.finish()
  reject(new Error('late'))
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(scope.warnings).toHaveLength(1)
})

const NO_STORE = 'The function in `store` did not return a store.'

test.each<[string, unknown, string]>([
  ['throws', throws, 'down'],
  ['rejects', rejects, 'down'],
  ['hangs', hangs, 'Timed out after 5 ms.'],
  ['returns nothing', () => undefined, NO_STORE],
  ['resolves to nothing', async () => null, NO_STORE],
  ['returns a string', () => 'redis', NO_STORE],
  ['returns half a store', () => ({ get: () => null }), NO_STORE],
  [
    'returns an object with a promise that rejects',
    () => ({ get: Promise.reject(new Error('late')) }),
    NO_STORE,
  ],
])(
  'a function of the bindings that %s costs one warning, and memory serves',
  async (_, store, message) => {
    const cache = createCache({ store: store as never, ttlSeconds: 60, storeTimeoutMs: 5 })
    const source = createNumberedSource()
    const env = { NAME: 'a' }
    const { text, scope } = await fetchContent(cache, { ...source, env })
    await scope.finish()
    expect(text).toBe('miss {"n":1}')
    expect(scope.warnings).toMatchObject([
      { problem: 'cache_unusable', error: expect.objectContaining({ message }) },
    ])
    const second = await fetchContent(cache, { ...source, env })
    expect([second.text, second.scope.warnings]).toEqual(['hit {"n":1}', []])
  },
)

test('no request waits again for a function of the bindings that hangs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const cache = createCache({ store: hangs as never, ttlSeconds: 60, storeTimeoutMs: 500 })
  const source = createNumberedSource()
  const first = fetchContent(cache, source)
  await vi.advanceTimersByTimeAsync(500)
  expect((await first).text).toBe('miss {"n":1}')
  await (await first).scope.finish()
  const setTimeout = vi.spyOn(globalThis, 'setTimeout')
  expect((await fetchContent(cache, source)).text).toBe('hit {"n":1}')
  expect(setTimeout).not.toHaveBeenCalled()
})

test('a hit in memory needs no timer', async () => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 60 })
  const source = createNumberedSource()
  await (await fetchContent(cache, source)).scope.finish()
  const setTimeout = vi.spyOn(globalThis, 'setTimeout')
  expect((await fetchContent(cache, source)).text).toBe('hit {"n":1}')
  expect(setTimeout).not.toHaveBeenCalled()
})

test.each([null, undefined])(
  'a store that returns %s has no entry, which is no problem',
  async (none) => {
    const cache = createCache({ store: { get: async () => none, set() {} }, ttlSeconds: 60 })
    const { text, scope } = await fetchContent(cache, createNumberedSource())
    expect([text, scope.warnings]).toEqual(['miss {"n":1}', []])
  },
)

test('a function of the bindings that failed is called again after a pause', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const map = createMapStore()
  let calls = 0
  const store = async () => ((calls += 1) === 1 ? rejects() : map)
  const cache = createCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  const shown: string[] = []
  for (const _request of [1, 2, 3, 4]) {
    const { text, scope } = await fetchContent(cache, source)
    await scope.finish()
    shown.push(text)
    vi.advanceTimersByTime(2_500)
  }
  expect(shown.slice(0, 2)).toEqual(['miss {"n":1}', 'hit {"n":1}'])
  // The third request found the store again, in the background.
  expect(shown[3]).toMatch(/\{"n":2\}$/)
  expect((await fetchContent(cache, source)).text).toBe('hit {"n":2}')
  expect(calls).toBe(2)
})

/** Returns a genuine entry of this cache, with changes of its line: the format, name, time, count and mark. */
async function storedEntry(change: (line: string[]) => unknown, json = '{"n":1}') {
  const store = createMapStore()
  const { scope } = await fetchContent(createCache({ store, ttlSeconds: 60 }), {
    load: async () => json,
  })
  await scope.finish()
  const [line = '', payload] = [...store.values.values()].join('').split('\n')
  const fields = line.split(' ')
  change(fields)
  return `${fields.join(' ')}\n${payload}`
}

test.each<[string, () => unknown]>([
  ['an empty string', () => ''],
  ['a text', () => 'poison'],
  ['a number', () => 7],
  ['NaN', () => Number.NaN],
  ['true', () => true],
  ['an object', () => ({ json: '{}', startedAtMs: Date.now() })],
  ['bytes', () => new Uint8Array([1])],
  ['a bare payload', () => '{"version":"1.0.0"}'],
  ['another format', async () => (await storedEntry(() => undefined)).replace('/3 ', '/2 ')],
  ['half an entry', async () => (await storedEntry(() => undefined)).slice(0, 60)],
  ['an entry without JSON', async () => (await storedEntry(() => undefined)).split('\n')[0]],
  ['the entry of another key', () => storedEntry((line) => (line[1] = 'sidecard:00'))],
  ['no time', () => storedEntry((line) => line.splice(2, 1))],
  ['a time that is text', () => storedEntry((line) => (line[2] = 'now'))],
  ['a time in hexadecimal', () => storedEntry((line) => (line[2] = `0x${Date.now().toString(16)}`))], // prettier-ignore
  ['a time far ahead', () => storedEntry((line) => (line[2] = String(Date.now() + 60_000)))],
  ['no mark', () => storedEntry((line) => line.pop())],
  ['no count of its components', () => storedEntry((line) => line.splice(3, 1))],
  ['another count of its components', () => storedEntry((line) => (line[3] = '2'))],
  ['JSON that the app rejects', () => storedEntry(() => undefined, '{"html":"<b>"}')],
])('a store that returns %s is ignored, with one warning', async (_, createValue) => {
  const value = await createValue()
  const map = createMapStore()
  const cache = createCache({ store: { ...map, get: async () => value as never }, ttlSeconds: 60 })
  const scope = createScope()
  const { text } = await fetchContent(cache, {
    scope,
    load: async () => '{"n":2}',
    isValid: (json) => !JSON.stringify(JSON.parse(json)).includes('html'),
  })
  expect(text).toBe('miss {"n":2}')
  expect(scope.warnings).toMatchObject([{ problem: 'invalid_entry' }])
})

test.each(['sidecard/3 x\n{}', 'sidecard/3 sidecard:00 0 1 \n{}', 'sidecard/3 '])(
  'a section does not believe %j, even if its validator would',
  async (value) => {
    const store = { get: async () => value, set() {} }
    const cache = sectionCache({ name: uniqueName(), store, ttlSeconds: 60 })
    const { text, scope } = await fetchSection(cache, {
      isValid: () => true,
      load: async () => '[1]',
    })
    expect(text).toBe('miss [1]')
    expect(scope.warnings).toMatchObject([{ problem: 'invalid_entry' }])
  },
)
