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
  readonly #firstUsers = new WeakMap<StoreAdapter, Environment>()

  /**
   * Returns a salt that separates the keys of an environment from those of others
   * in the same store. For stores outside the process, the salt of the first
   * environment is empty, so that processes share entries.
   */
  saltFor(environment: Environment, store: StoreAdapter): string {
    if (!isMemoryStore(store)) {
      const firstUser = this.#firstUsers.get(store)
      if (firstUser === undefined) this.#firstUsers.set(store, environment)
      if (firstUser === undefined || firstUser === environment) return ''
    }
    return (environment.salt ??= crypto.randomUUID())
  }
}
