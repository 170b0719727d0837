import { NotAvailableError } from '../../../src/runtime/app/designed-card.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { fetchSection, createGate, createMapStore, uniqueName } from '../../helpers/cache.ts'

const START = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

const create = (store = memoryStore()) =>
  sectionCache({ name: uniqueName(), store, ttlSeconds: 60, staleSeconds: 600 })

/** Creates a cache with the content `[1]`, which has been stale for a second. */
async function createStale(store = memoryStore(), keys: readonly string[] = ['a']) {
  const cache = create(store)
  for (const key of keys) {
    const { scope } = await fetchSection(cache, { key: [key], load: async () => '[1]' })
    await scope.finish()
  }
  vi.setSystemTime(START + 61_000)
  return cache
}

/** The pause after the first failed refresh. */
const PAUSE_MS = 1_000

const down = () => Promise.reject(new Error('down'))
const hangs = () => new Promise<never>(() => undefined)

test.each([
  ['memory', () => memoryStore()],
  ['an outside store', () => createMapStore()],
])('shows cached content within its TTL, from %s', async (_, createStore) => {
  const cache = create(createStore())
  const first = await fetchSection(cache, { load: async () => '[1]' })
  await first.scope.finish()
  expect([first.text, first.loadedAtMs]).toEqual(['miss [1]', START])
  vi.setSystemTime(START + 60_000)
  const second = await fetchSection(cache, { load: down })
  expect([second.text, second.loadedAtMs, 'error' in second]).toEqual(['hit [1]', START, false])
})

test('shows fresh content after the TTL if it loads quickly', async () => {
  const cache = await createStale()
  const { text, loadedAtMs } = await fetchSection(cache, { load: async () => '[2]' })
  expect([text, loadedAtMs]).toEqual(['miss [2]', START + 61_000])
  expect((await fetchSection(cache, { load: down })).text).toBe('hit [2]')
})

test('shows stale content with the error if the refresh fails quickly', async () => {
  const cache = await createStale()
  const result = await fetchSection(cache, { load: down })
  expect(result).toMatchObject({ text: 'stale [1]', loadedAtMs: START, error: { message: 'down' } })
})

test('shows stale content without an error while the refresh is running', async () => {
  const cache = await createStale()
  const gate = createGate()
  const loads: AbortSignal[] = []
  const load = async (signal: AbortSignal) => {
    loads.push(signal)
    await gate.opened
    return '[2]'
  }
  const results = await Promise.all([fetchSection(cache, { load }), fetchSection(cache, { load })])
  for (const result of results) {
    expect([result.text, 'error' in result]).toEqual(['stale [1]', false])
  }
  gate.open()
  for (const { scope } of results) await scope.finish()
  expect(loads).toHaveLength(1)
  expect((await fetchSection(cache, { load: down })).text).toBe('hit [2]')
})

test('shows the error of the previous refresh while the next one is running', async () => {
  const cache = await createStale()
  const gate = createGate()
  const failing = await fetchSection(cache, { load: async () => (await gate.opened, down()) })
  expect('error' in failing).toBe(false)
  gate.open()
  await failing.scope.finish()
  expect(failing.scope.warnings).toMatchObject([
    { problem: 'refresh_failed', error: { message: 'down' } },
  ])
  vi.advanceTimersByTime(PAUSE_MS)
  const second = createGate()
  const waiting = await fetchSection(cache, { load: async () => (await second.opened, '[2]') })
  expect(waiting).toMatchObject({ text: 'stale [1]', error: { message: 'down' } })
  second.open()
  await waiting.scope.finish()
  vi.setSystemTime(START + 200_000)
  const recovered = await fetchSection(cache, { load: hangs })
  expect([recovered.text, 'error' in recovered]).toEqual(['stale [2]', false])
})

test('shows stale content with a TimeoutError if the refresh times out quickly', async () => {
  const cache = await createStale()
  const result = await fetchSection(cache, { timeoutMs: 10, load: hangs })
  expect(result).toMatchObject({ text: 'stale [1]', error: { name: 'TimeoutError' } })
  expect(result.error).toBeInstanceOf(DOMException)
})

test('a timeout of exactly the time that a refresh has is a timeout', async () => {
  const cache = await createStale()
  const result = await fetchSection(cache, { timeoutMs: 100, load: hangs })
  expect(result).toMatchObject({ text: 'stale [1]', error: { name: 'TimeoutError' } })
})

test('rejects with the error of the load if the content has expired', async () => {
  const cache = await createStale()
  vi.setSystemTime(START + 660_001)
  await expect(fetchSection(cache, { load: down })).rejects.toThrow('down')
  expect((await fetchSection(cache, { load: async () => '[2]' })).text).toBe('miss [2]')
})

test('rejects with a TimeoutError if there is no content', async () => {
  const signals: AbortSignal[] = []
  const load = (signal: AbortSignal) => {
    signals.push(signal)
    return hangs()
  }
  const error = await fetchSection(create(), { timeoutMs: 10, load }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(DOMException)
  expect(error).toMatchObject({ name: 'TimeoutError', message: expect.stringContaining('10 ms') })
  expect(signals.map(({ aborted, reason }) => [aborted, reason.name])).toEqual([
    [true, 'TimeoutError'],
  ])
})

test('concurrent callers share one load, and its error', async () => {
  const cache = create()
  const gate = createGate()
  let calls = 0
  const load = async () => {
    calls += 1
    await gate.opened
    return down()
  }
  // The hash of the key is known from now on.
  await expect(fetchSection(cache, { load: down })).rejects.toThrow('down')
  const pending = Array.from({ length: 50 }, () => fetchSection(cache, { load }))
  await new Promise((resolve) => setTimeout(resolve, 10))
  gate.open()
  const results = await Promise.allSettled(pending)
  expect(calls).toBe(1)
  for (const result of results) expect(result).toMatchObject({ reason: { message: 'down' } })
  expect((await fetchSection(cache, { load: async () => '[1]' })).text).toBe('miss [1]')
})

test('a caller with a shorter timeout does not abort the shared load', async () => {
  const cache = create()
  const [started, gate] = [createGate(), createGate()]
  let signal: AbortSignal | undefined
  const load = async (shared: AbortSignal) => {
    signal = shared
    started.open()
    await gate.opened
    return '[1]'
  }
  const staying = fetchSection(cache, { timeoutMs: 30_000, load })
  await started.opened
  await expect(fetchSection(cache, { timeoutMs: 5, load: hangs })).rejects.toThrow('5 ms')
  expect(signal?.aborted).toBe(false)
  gate.open()
  expect((await staying).text).toBe('miss [1]')
})

test.each<[string, () => unknown]>([
  ['throws synchronously', () => { throw new Error('down') }], // prettier-ignore
  ['throws undefined', () => { throw undefined }], // prettier-ignore
  ['returns a thenable that rejects', () => ({ then: (_: unknown, no: (e: Error) => void) => no(new Error('down')) })], // prettier-ignore
])('a load that %s shows stale content with an error', async (_, load) => {
  const cache = await createStale()
  const result = await fetchSection(cache, { load })
  expect([result.text, result.error]).toEqual(['stale [1]', expect.any(Error)])
})

test('content from outside the process is validated again, and loaded if it is invalid', async () => {
  const cache = await createStale(createMapStore())
  vi.setSystemTime(START)
  const seen: string[] = []
  const isValid = (json: string) => {
    seen.push(json)
    return false
  }
  const { text, scope } = await fetchSection(cache, { isValid, load: async () => '[2]' })
  expect([text, seen]).toEqual(['miss [2]', ['[1]']])
  expect(scope.warnings).toMatchObject([{ problem: 'invalid_entry' }])
})

test('the result of a load after its timeout is not stored, and does not end the process', async () => {
  const store = createMapStore()
  const cache = create(store)
  const { promise, reject } = Promise.withResolvers<string>()
  await expect(fetchSection(cache, { timeoutMs: 5, load: () => promise })).rejects.toThrow('5 ms')
  reject(new Error('late'))
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(store.values.size).toBe(0)
})

test('the error of a timed-out refresh is still a TimeoutError for the next caller', async () => {
  const cache = await createStale()
  await fetchSection(cache, { timeoutMs: 5, load: hangs })
  const gate = createGate()
  const next = await fetchSection(cache, { load: async () => (await gate.opened, '[2]') })
  expect(next.error).toMatchObject({ name: 'TimeoutError' })
  gate.open()
})

test('a caller whose timeout ends before a shared refresh shows a TimeoutError', async () => {
  const cache = await createStale()
  const gate = createGate()
  const load = async () => (await gate.opened, '[2]')
  expect('error' in (await fetchSection(cache, { timeoutMs: 30_000, load }))).toBe(false)
  const impatient = await fetchSection(cache, { timeoutMs: 5, load })
  expect(impatient).toMatchObject({ text: 'stale [1]', error: { name: 'TimeoutError' } })
  gate.open()
})

test('a refresh that fails in the background is logged once', async () => {
  const cache = await createStale()
  const gate = createGate()
  const load = async () => (await gate.opened, down())
  const results = await Promise.all([1, 2, 3].map(() => fetchSection(cache, { load })))
  gate.open()
  for (const { scope } of results) await scope.finish()
  const problems = results.flatMap(({ scope }) => scope.warnings.map(({ problem }) => problem))
  expect(problems).toEqual(['refresh_failed'])
})

test.each<[string, unknown, object]>([
  [
    'an error',
    Object.assign(new Error('no'), { name: 'FetchError' }),
    { name: 'FetchError', message: 'no' },
  ],
  ['a string', 'no', { name: 'Error', message: 'no' }],
  [
    'an object that cannot be read',
    { toString: () => { throw new Error('trap') } }, // prettier-ignore
    { name: 'Error', message: 'The error cannot be read.' },
  ],
  ['a long error', new Error('x'.repeat(9_999)), { name: 'Error', message: 'x'.repeat(500) }],
])('the next caller sees a summary of %s', async (_, thrown, summary) => {
  const cache = await createStale()
  await fetchSection(cache, { load: () => Promise.reject(thrown) })
  const gate = createGate()
  const { error } = await fetchSection(cache, { load: async () => (await gate.opened, '[2]') })
  expect(error).toBeInstanceOf(Error)
  const { name, message } = error as Error
  expect({ name, message }).toEqual(summary)
  gate.open()
})

test('a load that throws undefined is also an error', async () => {
  const cache = await createStale()
  const { error } = await fetchSection(cache, { load: () => Promise.reject(undefined) })
  expect(error).toEqual(new Error('The section failed without an error.'))
})

test('at most a thousand failed keys are remembered: the ones that failed last', async () => {
  const others = Array.from({ length: 999 }, (_, index) => `b${index}`)
  const cache = await createStale(memoryStore({ maxEntries: 2_000 }), [
    'a',
    'never',
    ...others,
    'c',
    'd',
  ])
  const fail = async (key: string) => {
    const { scope } = await fetchSection(cache, { key: [key], load: down })
    await scope.finish()
  }
  await fail('never')
  await fail('a')
  await Promise.all(others.map(fail))
  vi.advanceTimersByTime(PAUSE_MS)
  await fail('a')
  await fail('c')
  await fail('d')
  vi.advanceTimersByTime(PAUSE_MS)
  const gate = createGate()
  const recall = async (key: string) =>
    'error' in
    (await fetchSection(cache, { key: [key], load: async () => (await gate.opened, '[2]') }))
  expect([await recall('a'), await recall('never'), await recall('b0')]).toEqual([
    true,
    false,
    false,
  ])
  gate.open()
})

test('fresh content of another process ends the error of the last refresh', async () => {
  const store = createMapStore()
  const cache = await createStale(store)
  expect((await fetchSection(cache, { load: down })).error).toBeDefined()
  for (const [key, value] of store.values) {
    store.values.set(key, value.replace(String(START), String(START + 61_000)))
  }
  expect((await fetchSection(cache, { load: down })).text).toBe('hit [1]')
  vi.setSystemTime(START + 130_000)
  const gate = createGate()
  const stale = await fetchSection(cache, { load: async () => (await gate.opened, '[2]') })
  expect([stale.text, 'error' in stale]).toEqual(['stale [1]', false])
  gate.open()
})

test('a background refresh that finds no customer is not logged as a failure', async () => {
  const cache = await createStale()
  const gate = createGate()
  const load = async () => {
    await gate.opened
    throw new NotAvailableError('account_id')
  }
  const { text, scope } = await fetchSection(cache, { load })
  gate.open()
  await scope.finish()
  expect([text, scope.warnings]).toEqual(['stale [1]', []])
})
