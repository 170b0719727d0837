import { kvStore } from 'sidecard/cache'
import { createKv } from '../../../helpers/cache-processes.ts'
import { isEntryName } from '../../../helpers/cache.ts'
import type { Stores } from './world.ts'

/** A store in the memory of one process. */
const inMemory = (): Stores => ({
  processes: 1,
  delayMs: 0,
  isMemory: true,
  connect: ({ memoryStore }) => memoryStore(),
})

/** A store that two processes share, with the commands of an operator of a Redis. */
function shared(): Stores {
  const values = new Map<string, { readonly value: string; readonly untilMs: number }>()
  return {
    processes: 2,
    delayMs: 0,
    connect: () => ({
      get(name) {
        const found = values.get(name)
        return found !== undefined && found.untilMs > Date.now() ? found.value : null
      },
      set(name, value, ttlSeconds) {
        values.set(name, { value, untilMs: Date.now() + ttlSeconds * 1_000 })
      },
    }),
    flush: () => values.clear(),
    evict: (index) => {
      const names = [...values.keys()].filter(isEntryName)
      values.delete(names[index % names.length] ?? '')
    },
  }
}

/** KV in two locations: a read is kept for a minute, and a key takes a write in a second. */
function inKv(): Stores {
  const kv = createKv()
  return { processes: 2, delayMs: 60_000, connect: () => kvStore(kv.connect()) }
}

export const STORES = { memory: inMemory, 'a store of two processes': shared, KV: inKv }
