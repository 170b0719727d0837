import { expect, test, vi } from 'vitest'
import { type CacheStore, kvCache, redisCache, storageCache } from 'sidecard'
import { FETCH_DATA, makeApp } from '../helpers/app.ts'
import { fetchDataPath, settled } from '../helpers/cache.ts'

/** The three kinds of store outside of the process, over one map and the limits of the real ones. */
function outside(kind: 'kv' | 'redis' | 'unstorage') {
  const values = new Map<string, string>()
  const lives: number[] = []
  const put = async (key: string, value: string, seconds: number) => {
    if (new TextEncoder().encode(key).length > 512) throw new Error('414 UTF-8 encoded length')
    if (kind === 'kv' && seconds < 60) throw new Error('400 Invalid expiration_ttl')
    if (!Number.isInteger(seconds)) throw new Error('ERR value is not an integer')
    lives.push(seconds)
    values.set(key, value)
  }
  const get = async (key: string) => values.get(key) ?? null
  const stores: Record<typeof kind, CacheStore> = {
    kv: kvCache(() => ({
      get,
      put: (key, value, { expirationTtl }) => put(key, value, expirationTtl),
    })),
    redis: redisCache({ get, set: (key, value, { EX }) => put(key, value, EX) }),
    unstorage: storageCache({
      // As unstorage does: JSON comes back parsed.
      getItem: async (key) => JSON.parse((await get(key)) ?? 'null') as unknown,
      setItem: (key, value, { ttl }) => put(key, value, ttl),
    }),
  }
  return { store: stores[kind], values, lives }
}

const KINDS = ['kv', 'redis', 'unstorage'] as const

test.each(KINDS)('%s gives back to one process what another has kept', async (kind) => {
  const { store, lives } = outside(kind)
  const cache = { ttlSeconds: 0.5, staleSeconds: 100, store }
  const first = await makeApp({ cache }).request(FETCH_DATA)
  await settled()
  const second = await makeApp({ cache, fetchData: () => [] }).request(FETCH_DATA)
  expect(second.headers.get('x-sidecard-cache')).toBe('hit')
  expect(await second.text()).toBe(await first.text())
  expect(lives).toEqual([101])
})

test.each(KINDS)('%s gets short keys, without a personal value in them', async (kind) => {
  const { store, values } = outside(kind)
  const app = makeApp({ cache: { ttlSeconds: 60, store } })
  await app.request(FETCH_DATA)
  await app.request(fetchDataPath({ account_id: '長'.repeat(400), requester_email: 'jane@e.com' }))
  // Keys are hashed elsewhere, which on a busy machine takes more than a turn.
  await vi.waitFor(() => expect(values.size).toBe(2))
  for (const key of values.keys()) expect(key).toMatch(/^sidecard:[0-9a-f]{64}$/)
})

test.each(KINDS)('%s that holds something else is asked in vain', async (kind) => {
  const { store, values } = outside(kind)
  const app = makeApp({ cache: { ttlSeconds: 60, store } })
  await app.request(FETCH_DATA)
  await settled()
  for (const poison of ['', '<b>', '"text"', '{"json":"{}","storedAtMs":0}', '[]', 'null']) {
    for (const key of values.keys()) values.set(key, poison)
    const response = await app.request(FETCH_DATA)
    expect(response.headers.get('x-sidecard-cache')).toBe('miss')
    await settled()
  }
})

test('kv lives for at least the minute that Workers KV asks for', async () => {
  const { store, lives } = outside('kv')
  await makeApp({ cache: { ttlSeconds: 5, store } }).request(FETCH_DATA)
  await settled()
  expect(lives).toEqual([60])
})
