import { createClient } from 'redis'
import { redisStore } from 'sidecard/cache'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DRAWS_ALL } from '../../../helpers/draw.ts'
import { noRedis, startRedis } from '../../../helpers/redis-server.ts'
import { isEntryName } from '../../../helpers/cache.ts'
import { controlTime, releaseTime, runSchedules } from './schedules.ts'
import { STORES } from './stores.ts'
import { World } from './world.ts'

const STEPS = DRAWS_ALL ? 20_000 : 5_000

beforeEach(controlTime)
afterEach(releaseTime)

test.each(Object.entries(STORES))(
  `an app shows only current content of the right customer in ${STEPS} steps, with %s`,
  async (_, createStores) => {
    const { cached, actions } = await runSchedules(World, createStores, { steps: STEPS })
    expect(Math.min(cached, actions)).toBeGreaterThan(STEPS / 100)
  },
  600_000,
)

test.skipIf(noRedis)(
  `an app shows only current content of the right customer, with a real Redis${noRedis ? ` (skipped: ${noRedis})` : ''}`,
  async () => {
    await using server = await startRedis()
    const clients = [createClient({ url: server.url }), createClient({ url: server.url })] as const
    await Promise.all(clients.map((client) => client.connect()))
    try {
      let connections = 0
      const createStores = async () => {
        await clients[0].flushAll()
        return {
          processes: 2,
          delayMs: 0,
          // The two caches of a process share a client.
          connect: () => redisStore(clients[(connections += 1) % 4 < 2 ? 0 : 1]),
          flush: () => clients[0].flushAll(),
          evict: async (index: number) => {
            const names = (await clients[0].keys('*')).filter(isEntryName)
            if (names.length > 0) await clients[0].del(names[index % names.length]!)
          },
        }
      }
      const { cached, actions } = await runSchedules(World, createStores, { steps: STEPS })
      expect(Math.min(cached, actions)).toBeGreaterThan(STEPS / 100)
    } finally {
      for (const client of clients) client.destroy()
    }
  },
  600_000,
)
