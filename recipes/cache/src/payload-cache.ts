import { memoryStore, payloadCache } from 'sidecard/cache'

/** Caches payloads in the memory of this process. */
export const payloads = payloadCache({
  store: memoryStore(),
  ttlSeconds: 60,
  // For another hour, agents see the cached payload immediately while it is refreshed.
  staleSeconds: 3_600,
})
