import { isMemoryStore } from './memory-store.ts'
import type { StoreAdapter } from './store-adapter.ts'

const NO_BINDINGS = {}

const salts = new WeakMap<object, string>()

/** Returns the identity of raw bindings. Requests without bindings share one environment. */
export function findEnvironment(bindings: unknown): object {
  return typeof bindings === 'object' && bindings !== null ? bindings : NO_BINDINGS
}

/**
 * Creates a function to call once per environment. It returns a salt that separates
 * the keys of this environment from those of others in the same store. For stores outside the
 * process, the salt of the first environment is empty, so that processes share entries.
 */
export function createSalts(): (environment: object, store: StoreAdapter) => string {
  const used = new WeakSet<StoreAdapter>()
  return (environment, store) => {
    if (!isMemoryStore(store) && !used.has(store)) {
      used.add(store)
      return ''
    }
    const salt = salts.get(environment) ?? crypto.randomUUID()
    salts.set(environment, salt)
    return salt
  }
}
