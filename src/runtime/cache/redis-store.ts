import { adapterFor, type StoreAdapter } from './store-adapter.ts'

/** The part of a node-redis client or cluster that `redisStore()` uses. */
export interface NodeRedisClient {
  get(key: string): Promise<unknown>
  setEx(key: string, seconds: number, value: string): Promise<unknown>
}

/** The part of an ioredis client or cluster that `redisStore()` uses. */
export interface IoredisClient {
  get(key: string): Promise<unknown>
  setex(key: string, seconds: number, value: string): Promise<unknown>
}

/** A connected client of the `redis` or the `ioredis` package. */
export type RedisClient = NodeRedisClient | IoredisClient

/**
 * Creates a store in Redis, shared by all processes. Connect the client yourself: Sidecard does
 * not depend on a Redis package.
 *
 * @throws {SidecardError} `invalid_options` if the argument is not a Redis client
 * @see docs/guides/caching.md#redis
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect()
 * sectionCache({ name: 'errors', ttlSeconds: 60, store: redisStore(redis) })
 */
export function redisStore(client: RedisClient): StoreAdapter {
  const methods = [
    ['get', 'setEx'],
    ['get', 'setex'],
  ]
  return adapterFor('redisStore', client, methods, 'a client of the redis or the ioredis package', {
    get: (key) => client.get(key) as Promise<string | null>,
    set(key, value, ttlSeconds) {
      const seconds = Math.ceil(ttlSeconds)
      return 'setEx' in client
        ? client.setEx(key, seconds, value)
        : client.setex(key, seconds, value)
    },
  })
}
