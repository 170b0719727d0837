import { isMemoryStore } from './memory-store.ts'
import type { StoreAdapter } from './store-adapter.ts'

/** One set of bindings. It does not prevent their garbage collection. */
export interface Environment {
  /** Makes keys unique where environments share a store. */
  salt: string | undefined
}

const environments = new WeakMap<object, Environment>()
const noBindings: Environment = { salt: undefined }

/** Returns the environment of raw bindings. Requests without bindings share one environment. */
export function findEnvironment(bindings: unknown): Environment {
  if (typeof bindings !== 'object' || bindings === null) return noBindings
  let environment = environments.get(bindings)
  if (environment === undefined) environments.set(bindings, (environment = { salt: undefined }))
  return environment
}

/** Separates the keys of environments that share a store. */
export class StoreSharing {
  /** Those of which an environment is the first user. */
  readonly #used = new WeakSet<StoreAdapter>()

  /**
   * Returns, once per environment, a salt that separates the keys of an environment from those of others
   * in the same store. For stores outside the process, the salt of the first
   * environment is empty, so that processes share entries.
   */
  saltFor(environment: Environment, store: StoreAdapter): string {
    if (!isMemoryStore(store)) {
      if (!this.#used.has(store)) {
        this.#used.add(store)
        return ''
      }
    }
    return (environment.salt ??= crypto.randomUUID())
  }
}
