import { noAuth, sidecard, text } from 'sidecard'
import { memoryStore, payloadCache } from 'sidecard/cache'

/** How many calls the source handles at a time, and how long each takes. */
export const SLOTS = 50
export const CALL_MS = 50

const store = memoryStore()

/** The caches that are compared, by name. */
const CACHES = {
  'without a cache': undefined,
  // An entry is too old before a request can read it, so only the running call is shared.
  'request coalescing': payloadCache({ store, ttlSeconds: 0.001 }),
  'TTL 1 s': payloadCache({ store, ttlSeconds: 1 }),
  'TTL 1 s, stale 60 s': payloadCache({ store, ttlSeconds: 1, staleSeconds: 60 }),
} as const

export type CacheName = keyof typeof CACHES
export const CACHE_NAMES = Object.keys(CACHES) as CacheName[]

/** Creates an app in front of a source with a limited number of slots. */
export function createSlowApp(name: CacheName) {
  const source = createSource()
  const app = sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    cache: CACHES[name],
    async fetchData({ params }) {
      await source.call()
      return [text({ label: 'Issue', value: params.issue_id ?? '' })]
    },
  })
  return { app, source }
}

/** A source with {@link SLOTS} slots. Further calls wait for a free one, as in a connection pool. */
function createSource() {
  const waiting: (() => void)[] = []
  let free = SLOTS
  const source = {
    calls: 0,
    async call(): Promise<void> {
      source.calls += 1
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      await new Promise((resolve) => setTimeout(resolve, CALL_MS))
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    },
  }
  return source
}
