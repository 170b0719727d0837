import type { SectionCache } from './cache-types.ts'

/** The newest caches of a name that are kept, because a module can be evaluated many times. */
const MAX_CACHES = 10

const created = new Map<string, readonly SectionCache[]>()
const used = new WeakMap<object, Map<string, SectionCache>>()

/** Records a new cache. */
export function registerCache(cache: SectionCache): void {
  const others = created.get(cache.name) ?? []
  created.set(cache.name, [...others, cache].slice(-MAX_CACHES))
}

/** Records that an app uses a cache. */
export function recordUse(app: object, cache: SectionCache): void {
  const caches = used.get(app) ?? new Map<string, SectionCache>()
  used.set(app, caches.set(cache.name, cache))
}

/**
 * Returns the cache of a name that an app uses. If the app has not used it yet in
 * this process, returns all caches of this name.
 */
export function findCaches(app: object, name: string): readonly SectionCache[] {
  const own = used.get(app)?.get(name)
  return own === undefined ? (created.get(name) ?? []) : [own]
}
