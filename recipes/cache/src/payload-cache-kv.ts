import type { KVNamespace } from '@cloudflare/workers-types'
import { kvStore, memoryStore, payloadCache } from 'sidecard/cache'

const memory = memoryStore()

/**
 * Caches payloads in the KV namespace PAYLOADS. Without it, each instance of the
 * Worker has its own cache in memory. KV is eventually consistent: another
 * location can see an older payload for a minute or more.
 */
export const payloads = payloadCache({
  store(env: object) {
    const { PAYLOADS } = env as { readonly PAYLOADS?: KVNamespace }
    return PAYLOADS === undefined ? memory : kvStore(PAYLOADS)
  },
  ttlSeconds: 60,
  // For another hour, agents see the cached payload immediately while it is refreshed.
  staleSeconds: 3_600,
})
