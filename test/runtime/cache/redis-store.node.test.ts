import { spawn } from 'node:child_process'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type RedisClient, redisStore, sectionCache } from 'sidecard/cache'
import {
  createCache,
  createNumberedSource,
  fetchContent,
  fetchSection,
  uniqueName,
} from '../../helpers/cache.ts'
import { noRedis, type RedisServer, startRedis } from '../../helpers/redis-server.ts'

describe.skipIf(noRedis)(
  `redisStore with a real Redis${noRedis ? ` (skipped: ${noRedis})` : ''}`,
  () => {
    let server: RedisServer
    let clients: Record<'node-redis' | 'ioredis', RedisClient>
    let close: () => Promise<void>

    beforeAll(async () => {
      server = await startRedis()
      const nodeRedis = createClient({ url: server.url })
      nodeRedis.on('error', () => undefined)
      await nodeRedis.connect()
      const ioredis = new Redis(server.url)
      ioredis.on('error', () => undefined)
      clients = { 'node-redis': nodeRedis, ioredis }
      close = async () => {
        nodeRedis.destroy()
        ioredis.disconnect()
        await server[Symbol.asyncDispose]()
      }
    })
    afterAll(() => close())

    const CLIENTS = ['node-redis', 'ioredis'] as const

    test.each(CLIENTS)('%s stores content with an expiration in Redis', async (name) => {
      const client = clients[name] as Redis
      // The tests run in any order, and others store entries as well.
      await (clients.ioredis as Redis).flushall()
      const cache = createCache({ store: redisStore(client), ttlSeconds: 30, staleSeconds: 90.5 })
      const source = createNumberedSource()
      const request = { ...source, url: `https://app.example/${name}` }
      const { text, scope } = await fetchContent(cache, request)
      await scope.finish()
      expect(text).toBe('miss {"n":1}')
      expect((await fetchContent(cache, request)).text).toBe('hit {"n":1}')
      const [key] = await client.keys('sidecard:*')
      expect(await client.ttl(key!)).toBeGreaterThanOrEqual(119)
      expect(await client.ttl(key!)).toBeLessThanOrEqual(121)
      await client.del(key!)
    })

    test('node-redis and ioredis read each other’s entries', async () => {
      const source = createNumberedSource()
      const [one, two] = CLIENTS.map((name) =>
        createCache({ store: redisStore(clients[name]), ttlSeconds: 60 }, 'of two clients'),
      )
      const { scope } = await fetchContent(one!, { ...source, ids: { account_id: '長"🙂\n' } })
      await scope.finish()
      const { text } = await fetchContent(two!, { ...source, ids: { account_id: '長"🙂\n' } })
      expect(text).toBe('hit {"n":1}')
    })

    test.each(CLIENTS)('%s is left alone if it hangs or loses its server', async (name) => {
      await using other = await startRedis()
      // A slow machine could need more than the pause of five seconds after a failure.
      vi.useFakeTimers({ toFake: ['Date'] })
      onTestFinished(() => void vi.useRealTimers())
      const nodeRedis = createClient({ url: other.url })
      nodeRedis.on('error', () => undefined)
      const ioredis = new Redis(other.url, { lazyConnect: true, retryStrategy: () => 10 })
      ioredis.on('error', () => undefined)
      await (name === 'ioredis' ? ioredis.connect() : nodeRedis.connect())
      const client: RedisClient = name === 'ioredis' ? ioredis : nodeRedis
      const store = redisStore(client)
      const cache = createCache({ store, ttlSeconds: 60, storeTimeoutMs: 20 })
      const section = sectionCache({
        name: uniqueName(),
        store,
        ttlSeconds: 60,
        storeTimeoutMs: 20,
      })
      const source = createNumberedSource()
      other.pause()
      const hung = await fetchContent(cache, source)
      await hung.scope.finish()
      expect(hung.text).toBe('miss {"n":1}')
      expect(hung.scope.warnings.map(({ problem }) => problem)).toEqual(['store_timeout'])
      await other[Symbol.asyncDispose]()
      const gone = await fetchContent(cache, source)
      await gone.scope.finish()
      expect([gone.text, gone.scope.warnings]).toEqual(['hit {"n":1}', []])
      const shown = await fetchSection(section, { load: async () => '[1]' })
      await shown.scope.finish()
      expect(shown.text).toBe('miss [1]')
      ioredis.disconnect()
      nodeRedis.destroy()
    })

    test('two processes over one Redis share content', async () => {
      const ids = { account_id: 'shared by two processes' }
      const program = new URL('../../fixtures/cache-process.ts', import.meta.url).pathname
      const child = spawn(process.execPath, [program, server.url, JSON.stringify(ids)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      for await (const chunk of child.stdout) output += String(chunk)
      expect(output).toBe('miss {"from":"another process"}')
      const cache = createCache(
        { store: redisStore(clients.ioredis), ttlSeconds: 60 },
        'shared by processes',
      )
      const { text } = await fetchContent(cache, {
        ids,
        env: { PORT: '1' },
        load: async () => 'own',
      })
      expect(text).toBe('hit {"from":"another process"}')
    })
  },
)
