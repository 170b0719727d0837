import { expect, test } from 'vitest'
import { kvStore, redisStore, type StoreAdapter, storageStore } from 'sidecard/cache'
import { createCache, createNumberedSource, fetchContent } from '../../helpers/cache.ts'

type Call = readonly unknown[]

/** A client whose methods note how they were called, over one map. */
function createClient(getName: string, setName: string) {
  const values = new Map<string, string>()
  const calls: Call[] = []
  const client = {
    async [getName](key: string) {
      calls.push([getName])
      return values.get(key) ?? null
    },
    async [setName](key: string, ...args: unknown[]) {
      const value = args.find((arg) => typeof arg === 'string') as string
      values.set(key, value)
      calls.push([setName, ...args.map((arg) => (arg === value ? 'value' : arg))])
    },
  }
  return { client, calls }
}

const ADAPTERS: [string, string, string, (client: never) => StoreAdapter, Call][] = [
  ['kvStore', 'get', 'put', kvStore, ['put', 'value', { expirationTtl: 91 }]],
  ['redisStore of node-redis', 'get', 'setEx', redisStore, ['setEx', 91, 'value']],
  ['redisStore of ioredis', 'get', 'setex', redisStore, ['setex', 91, 'value']],
  ['storageStore', 'getItem', 'setItem', storageStore, ['setItem', 'value', { ttl: 91 }]],
]

test.each(ADAPTERS)(
  '%s reads with %s, and writes with the lifetime in whole seconds',
  async (_, getName, setName, adapt, written) => {
    const { client, calls } = createClient(getName, setName)
    const cache = createCache({
      store: adapt(client as never),
      ttlSeconds: 60.5,
      staleSeconds: 30,
    })
    const source = createNumberedSource()
    const first = await fetchContent(cache, source)
    await first.scope.finish()
    const second = await fetchContent(cache, source)
    expect([first.text, second.text]).toEqual(['miss {"n":1}', 'hit {"n":1}'])
    expect([...first.scope.warnings, ...second.scope.warnings]).toEqual([])
    // Each read gets the entry and its mark.
    const read = [[getName], [getName]]
    expect(calls).toEqual([...read, written, ...read])
  },
)

test('a client can be a function, as an RPC stub of Workers is', async () => {
  const { client } = createClient('get', 'put')
  const store = kvStore(Object.assign(() => undefined, client) as never)
  const cache = createCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  await (await fetchContent(cache, source)).scope.finish()
  expect((await fetchContent(cache, source)).text).toBe('hit {"n":1}')
})

test('a store with a method `then`, as an RPC stub of Workers has, is not awaited', async () => {
  const { client } = createClient('get', 'set')
  const stub = Object.assign(() => undefined, client, { then: () => undefined })
  const cache = createCache({ store: () => stub as never, ttlSeconds: 60 })
  const source = createNumberedSource()
  await (await fetchContent(cache, source)).scope.finish()
  const { text, scope } = await fetchContent(cache, source)
  expect([text, scope.warnings]).toEqual(['hit {"n":1}', []])
})

test('kvStore never asks for less than the minute that KV requires', async () => {
  const { client, calls } = createClient('get', 'put')
  const cache = createCache({ store: kvStore(client as never), ttlSeconds: 1 })
  const { scope } = await fetchContent(cache, createNumberedSource())
  await scope.finish()
  expect(calls.at(-1)).toEqual(['put', 'value', { expirationTtl: 60 }])
})

test.each(ADAPTERS)(
  'two environments whose functions wrap one client with %s share nothing',
  async (_, getName, setName, adapt) => {
    const { client } = createClient(getName, setName)
    const cache = createCache({ store: () => adapt(client as never), ttlSeconds: 60 })
    const source = createNumberedSource()
    const texts: string[] = []
    for (const env of [{ NAME: 'one' }, { NAME: 'two' }]) {
      const { text, scope } = await fetchContent(cache, { ...source, env })
      await scope.finish()
      texts.push(text)
    }
    expect(texts).toEqual(['miss {"n":1}', 'miss {"n":2}'])
  },
)
