import { noAuth, section, sidecard, text } from 'sidecard'
import { memoryStore, payloadCache, sectionCache } from 'sidecard/cache'
import { type App, QUERY } from './apps.ts'
import { HEADER, withBuilders } from './payloads.ts'

/** An app whose cost is compared with the same app without a cache. */
export interface CacheCandidate {
  readonly name: string
  readonly app: App
  readonly query: string
  /** The name of the same app without a cache. */
  readonly baseline: string
  /** The largest cost that is accepted, relative to the baseline. */
  readonly limit?: number
}

const SECTIONS = 10
/** Query parameters of the app itself, which the key of a cache contains. */
const LONG_QUERY = `${QUERY}${Array.from({ length: 1_800 }, (_, n) => `&p${n}=${n % 10}`).join('')}`

const options = { header: HEADER, auth: noAuth(), logger: false } as const
const stored = { ttlSeconds: 3_600, store: memoryStore() }

function createPlain(): App {
  let n = 0
  return sidecard({ ...options, fetchData: () => withBuilders(15, (n += 1)).components })
}

function createCached(): App {
  return sidecard({
    ...options,
    cache: payloadCache(stored),
    fetchData: () => withBuilders(15, 1).components,
  })
}

/** Each section is a text, so that the cache is most of the cost. */
function createSections(name?: string): App {
  let n = 0
  const cache = name === undefined ? undefined : sectionCache({ ...stored, name })
  return sidecard({
    ...options,
    fetchData: () =>
      Array.from({ length: SECTIONS }, (_, index) => {
        const load = () => [text({ label: `Error ${(n += 1)}`, value: `Timeout ${n}` })]
        const title = `Errors ${index}`
        return cache === undefined
          ? section(title, load)
          : section(title, load, { cache, key: [index] })
      }),
  })
}

/** A payload and ten sections from the memory cache, next to plain ones. */
export function createCacheCandidates(): readonly CacheCandidate[] {
  return [QUERY, LONG_QUERY].flatMap((query) => {
    const suffix = query === QUERY ? '' : ', 16 kB of query'
    const [plain, sections] = [`plain${suffix}`, `ten plain sections${suffix}`]
    return [
      { name: plain, app: createPlain(), query, baseline: plain },
      { name: `payload hit${suffix}`, app: createCached(), query, baseline: plain, limit: 2 },
      { name: sections, app: createSections(), query, baseline: sections },
      {
        name: `ten section hits${suffix}`,
        app: createSections(`errors${suffix}`),
        query,
        baseline: sections,
        limit: 3,
      },
    ]
  })
}
