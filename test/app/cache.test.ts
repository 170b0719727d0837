import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerStore, type CacheStore, memoryCache, type SidecardOptions, text } from 'sidecard'
import { FETCH_DATA, makeApp, never, payloadOf, recordingLogger } from '../helpers/app.ts'
import { fetchDataPath, recordingStore, settled } from '../helpers/cache.ts'

let now = 0

// A clock that moves only when it is told to, as on Workers during a request.
beforeEach(() => {
  now = 1_800_000_000_000
  vi.spyOn(Date, 'now').mockImplementation(() => now)
})
afterEach(() => vi.restoreAllMocks())

/** An app whose answers are numbered, behind a source that a test can hold back. */
function counting(cache: SidecardOptions['cache'], source: () => unknown = () => undefined) {
  const logger = recordingLogger()
  const asked = { count: 0 }
  const app = makeApp({
    logger,
    cache,
    async fetchData() {
      const call = String((asked.count += 1))
      await source()
      return [text({ label: 'Call', value: call })]
    },
  })
  const ask = async (path = FETCH_DATA, init?: RequestInit) => {
    const response = await app.request(path, init)
    const { components } = await payloadOf(response)
    return `${response.headers.get('x-sidecard-cache')} ${components[0].value}`
  }
  return { app, ask, asked, logger }
}

test('is off by default', async () => {
  const { ask } = counting(undefined)
  expect([await ask(), await ask()]).toEqual(['null 1', 'null 2'])
})

test('serves the same answer until its time is over', async () => {
  const { ask } = counting({ ttlSeconds: 60, store: memoryCache() })
  expect(await ask()).toBe('miss 1')
  now += 60_000
  expect(await ask()).toBe('hit 1')
  now += 1
  expect(await ask()).toBe('miss 2')
})

test('an answer in time stays in time while the clock stands still', async () => {
  const { ask } = counting({ ttlSeconds: 0.001, store: memoryCache() })
  await ask()
  for (let turn = 0; turn < 50; turn += 1) expect(await ask()).toBe('hit 1')
})

test('serves a stale answer once more while one call makes a new one behind it', async () => {
  const { ask, asked } = counting({ ttlSeconds: 60, staleSeconds: 30, store: memoryCache() })
  await ask()
  now += 60_001
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['stale 1', 'stale 1', 'stale 1'])
  await settled()
  expect(asked.count).toBe(2)
  expect(await ask()).toBe('hit 2')
})

test('a stale answer is over at the end of its time, also while a new one is being made', async () => {
  let held: Promise<unknown> | undefined
  const { ask } = counting({ ttlSeconds: 60, staleSeconds: 30, store: memoryCache() }, () => held)
  await ask()
  now += 70_000
  const gate = Promise.withResolvers<void>()
  held = gate.promise
  expect(await ask()).toBe('stale 1')
  held = undefined
  now += 20_001
  expect(await ask()).toBe('miss 3')
  gate.resolve()
})

test('a new answer that fails leaves the stale one, and is tried again', async () => {
  let isDown = false
  const { ask, logger } = counting(
    { ttlSeconds: 60, staleSeconds: 600, store: memoryCache() },
    () => {
      if (isDown) throw new Error('down')
    },
  )
  await ask()
  isDown = true
  now += 61_000
  expect(await ask()).toBe('stale 1')
  await settled()
  expect(await ask()).toBe('stale 1')
  await settled()
  expect(logger.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { cache: 'refresh', outcome: 'callback_failed', errorName: 'Error' } },
    { fields: { cache: 'refresh', outcome: 'callback_failed', errorName: 'Error' } },
  ])
  isDown = false
  expect(await ask()).toBe('stale 1')
  await settled()
  expect(await ask()).toBe('hit 4')
})

test.each<[string, () => CacheStore]>([
  ['memory', memoryCache],
  ['a store that answers later', recordingStore],
  [
    'a store that fails',
    () => answerStore({ get: () => Promise.reject('no'), set: () => Promise.reject() }),
  ],
])('a thousand simultaneous misses ask once, with %s', async (_, makeStore) => {
  const { ask, asked } = counting({ ttlSeconds: 60, store: makeStore() })
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask()))
  expect(new Set(answers)).toEqual(new Set(['miss 1']))
  expect(asked.count).toBe(1)
})

test('whoever asks while an answer is being written is not a new miss', async () => {
  const writing = Promise.withResolvers<void>()
  const store = answerStore({ get: async () => undefined, set: () => writing.promise })
  const { ask, asked } = counting({ ttlSeconds: 60, store })
  await ask()
  expect(await ask()).toBe('miss 1')
  expect(asked.count).toBe(1)
  writing.resolve()
})

test('a caller who goes away does not fail the others', async () => {
  const gate = Promise.withResolvers<void>()
  const seen: AbortSignal[] = []
  const app = makeApp({
    cache: { ttlSeconds: 60, store: memoryCache() },
    async fetchData(ctx) {
      seen.push(ctx.signal)
      await gate.promise
      ctx.signal.throwIfAborted()
      return [text({ label: 'Plan', value: 'Pro' })]
    },
  })
  const first = new AbortController()
  const leaving = app.request(FETCH_DATA, { signal: first.signal })
  const staying = app.request(FETCH_DATA)
  await settled()
  first.abort()
  gate.resolve()
  const { components } = await payloadOf(await staying)
  expect(components[0].value).toBe('Pro')
  expect(seen).toHaveLength(1)
  await leaving
})

test('everybody who waits for a failing call gets its card, and the next one tries again', async () => {
  let isDown = true
  const { app, ask, asked } = counting({ ttlSeconds: 60, store: memoryCache() }, () => {
    if (isDown) throw new Error('down')
  })
  const responses = await Promise.all([app.request(FETCH_DATA), app.request(FETCH_DATA)])
  expect(responses.map(({ headers }) => headers.get('x-sidecard-fault'))).toEqual([
    'callback_failed',
    'callback_failed',
  ])
  expect(asked.count).toBe(1)
  isDown = false
  expect(await ask()).toBe('miss 2')
})

test('a call that never ends is over for everybody at the deadline', async () => {
  const app = makeApp({
    cache: { ttlSeconds: 60, store: memoryCache() },
    timeoutMs: 20,
    fetchData: never,
  })
  const responses = await Promise.all([app.request(FETCH_DATA), app.request(FETCH_DATA)])
  expect(responses.map(({ headers }) => headers.get('x-sidecard-fault'))).toEqual([
    'timeout',
    'timeout',
  ])
})

test('asks a Worker to live on until the answer is kept and renewed', async () => {
  const works: Promise<unknown>[] = []
  const store = recordingStore()
  const { app, asked } = counting({ ttlSeconds: 60, staleSeconds: 60, store })
  const worker = { waitUntil: (work: Promise<unknown>) => works.push(work) }
  const ask = () =>
    app.request(FETCH_DATA, {}, {}, { ...worker, passThroughOnException() {} } as never)
  await ask()
  await Promise.all(works)
  expect(store.keys).toHaveLength(1)
  now += 61_000
  expect((await ask()).headers.get('x-sidecard-cache')).toBe('stale')
  await Promise.all(works)
  expect([asked.count, store.keys.length]).toEqual([2, 2])
})

test('says in the log what the cache did', async () => {
  const { ask, logger } = counting({ ttlSeconds: 60, store: memoryCache() })
  await ask()
  await ask()
  expect(logger.lines.map(({ fields }) => fields.cache)).toEqual(['miss', 'hit'])
})

test('takes an entry from a clock that is a little ahead for a new one', async () => {
  const store = recordingStore()
  const { ask } = counting({ ttlSeconds: 60, store })
  await ask()
  now -= 4_000
  expect(await ask()).toBe('hit 1')
  now -= 4_000
  expect(await ask()).toBe('miss 2')
})

test('a place found in the environment is found once for each', async () => {
  const found: unknown[] = []
  const store = answerStore<{ Bindings: object }>((env) => {
    found.push(env)
    return recordingStore().place
  })
  const app = makeApp<{ Bindings: object }>({ cache: { ttlSeconds: 60, store } })
  const ask = async (env: object) => {
    const { headers } = await app.request(FETCH_DATA, {}, env)
    await settled()
    return headers.get('x-sidecard-cache')
  }
  const [one, other] = [{ ANSWERS: 1 }, { ANSWERS: 2 }]
  expect([await ask(one), await ask(one), await ask(other)]).toEqual(['miss', 'hit', 'miss'])
  expect(found).toEqual([one, other])
})

test('memory drops what was used least recently, by count and by bytes', async () => {
  const ids = (issue: string) => fetchDataPath({ issue_id: issue })
  for (const limits of [{ maxEntries: 2 }, { maxBytes: 1_700 }]) {
    const { ask } = counting({ ttlSeconds: 60, store: memoryCache(limits) })
    await ask(ids('a'))
    await ask(ids('b'))
    expect(await ask(ids('a'))).toBe('hit 1')
    expect(await ask(ids('c'))).toBe('miss 3')
    expect(await ask(ids('a'))).toBe('hit 1')
    expect(await ask(ids('b'))).toBe('miss 4')
  }
})

test('memory does not keep what is larger than all it may hold', async () => {
  const { ask } = counting({ ttlSeconds: 60, store: memoryCache({ maxBytes: 100 }) })
  expect([await ask(), await ask()]).toEqual(['miss 1', 'miss 2'])
})

test.each([{ maxEntries: 0 }, { maxBytes: 1.5 }, { maxEntries: '9' as never }])(
  'memory refuses the limits %j',
  (limits) => expect(() => memoryCache(limits)).toThrow(/must be a whole number above 0/),
)
