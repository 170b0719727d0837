/**
 * Caching of sections, with stores for memory, Workers KV, Redis and unstorage.
 *
 * @module
 */
export type { SectionCache } from '../internal/cache-types.ts'
export { kvStore, type KvNamespace } from './kv-store.ts'
export { memoryStore } from './memory-store.ts'
export { redisStore, type RedisClient } from './redis-store.ts'
export { sectionCache, type SectionCacheOptions } from './section-cache.ts'
export { storageStore } from './storage-store.ts'
export type { StoreAdapter } from './store-adapter.ts'
