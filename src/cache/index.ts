/**
 * Caching of payloads and sections, with stores for memory, Workers KV, Redis and unstorage.
 *
 * @module
 */
export type { PayloadCache, SectionCache } from '../internal/cache-types.ts'
export type { CacheKeyPart } from './cache-key.ts'
export { kvStore, type KvNamespace } from './kv-store.ts'
export { memoryStore, type MemoryStoreOptions } from './memory-store.ts'
export { payloadCache, type PayloadCacheOptions, type PayloadKeyContext } from './payload-cache.ts'
export {
  redisStore,
  type IoredisClient,
  type NodeRedisClient,
  type RedisClient,
} from './redis-store.ts'
export { sectionCache, type SectionCacheOptions } from './section-cache.ts'
export { type KeyValueStorage, storageStore } from './storage-store.ts'
export type { StoreAdapter, StoreAdapterSource } from './store-adapter.ts'
