import type { StoreAdapter } from 'sidecard/cache'
import {
  createCache,
  createMapStore,
  createScope,
  fetchContent,
  invalidateContent,
} from './cache.ts'

/** A load that returns a number. */
export const n = (value: number) => async () => `{"n":${value}}`

/** Creates a process over a store, with its own section cache. `act()` makes its entry wrong. */
export function createProcess(store: StoreAdapter) {
  const cache = createCache({ store, ttlSeconds: 600, storeTimeoutMs: 500 }, 'shared by processes')
  const env = {}
  const scopes: ReturnType<typeof createScope>[] = []
  const open = async (load: () => Promise<string> = n(0)) => {
    const scope = createScope({ actions: true, env })
    scopes.push(scope)
    const result = await fetchContent(cache, { scope, load })
    await scope.finish()
    return result.text
  }
  const act = () => {
    const scope = createScope({ actions: true, env })
    scopes.push(scope)
    return invalidateContent(cache, scope)
  }
  const warnings = () =>
    scopes.flatMap((scope) =>
      scope.warnings.map(({ problem }) => problem).filter((problem) => problem !== 'name_reused'),
    )
  return { open, act, warnings, cache, env }
}

/** A store that can fail, by access. */
export function createFragileStore() {
  const map = createMapStore()
  const down = { get: false, set: false }
  const check = (access: 'get' | 'set') => {
    if (down[access]) throw new Error('down')
  }
  const store: StoreAdapter = {
    get: async (name) => (check('get'), map.get(name)),
    set: async (name, value, ttl) => (check('set'), map.set(name, value, ttl)),
  }
  return { store, down, values: map.values }
}

/** A namespace as KV describes it: reads are cached for a minute, and a key takes a write a second. */
export function createKv() {
  const values = new Map<string, string>()
  const writes = new Map<string, number>()
  const connect = () => {
    const seen = new Map<string, { readonly value: string | null; readonly untilMs: number }>()
    return {
      async get(key: string) {
        const known = seen.get(key)
        if (known !== undefined && known.untilMs > Date.now()) return known.value
        const value = values.get(key) ?? null
        seen.set(key, { value, untilMs: Date.now() + 60_000 })
        return value
      },
      async put(key: string, value: string) {
        if (Date.now() - (writes.get(key) ?? 0) < 1_000) {
          throw new Error('KV PUT failed: 429 Too Many Requests')
        }
        writes.set(key, Date.now())
        values.set(key, value)
      },
    }
  }
  return { connect }
}
