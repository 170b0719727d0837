import { memoryCache, noAuth, sidecard, text } from '../../src/index.ts'
import { FETCH_DATA_PARAMETERS } from '../../src/contract/parameters.ts'
import { failureList, seededInteger, type Soak } from './soak.ts'

const TENANTS = 1_000
const AT_ONCE = 50

/** Whatever somebody may join ids with; ids made of them collide under any such key. */
const JOINTS = [',', '|', '/', ':', '-', '\u0000', '\n', '"', '","', '\\', '["', ' ', '&', '=', '']

/**
 * Requests of many tenants, mixed, through one cache: each must get its own
 * answer. And however many miss at the same moment, the source is asked once.
 */
export const tenantsSoak: Soak = async ({ count, seed }) => {
  const next = seededInteger(seed)
  const found = failureList()
  let asked = 0
  const app = sidecard({
    header: { title: 'Soak' },
    auth: noAuth(),
    logger: false,
    cache: { ttlSeconds: 3_600, store: memoryCache({ maxEntries: TENANTS / 2 }) },
    async fetchData({ params }) {
      asked += 1
      await Promise.resolve()
      return [text({ label: 'ids', value: idsOf(params) })]
    },
  })
  const tenants = Array.from({ length: TENANTS }, (_, index) => tenant(index))
  let hits = 0
  const ask = async (ids: Record<string, string>) => {
    const query = new URLSearchParams({ request_type: 'fetch_data', ...ids })
    const response = await app.request(`/?${query}`)
    if (response.headers.get('x-sidecard-cache') === 'hit') hits += 1
    const { components } = (await response.json()) as { components: { value: string }[] }
    const given = components[0]?.value
    if (given !== idsOf(ids)) found.add(`${idsOf(ids)} was given ${given}`)
  }
  for (let done = 0; done < count; done += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, () => tenants[next(TENANTS)] ?? {})
    // oxlint-disable-next-line no-await-in-loop -- fifty at once, again and again
    await Promise.all(some.map(ask))
  }
  const before = asked
  const lone = { account_id: 'asked by a thousand at once' }
  await Promise.all(Array.from({ length: 1_000 }, () => ask(lone)))
  if (asked !== before + 1) found.add(`a thousand misses asked ${asked - before} times`)
  return {
    figures: { requests: count + 1_000, tenants: TENANTS, hits, failures: found.count },
    failures: found.failures,
  }
}

/** Neighbours share a joint and split the same text at another place. */
function tenant(index: number): Record<string, string> {
  const joint = JOINTS[index % JOINTS.length] ?? ''
  const parts = ['a', 'b', 'c', 'd', String(Math.floor(index / (JOINTS.length * 3)))]
  const at = 1 + (Math.floor(index / JOINTS.length) % 3)
  return {
    organization_id: parts.slice(0, at).join(joint),
    account_id: parts.slice(at).join(joint),
    issue_id: joint,
  }
}

function idsOf(ids: Readonly<Record<string, string | undefined>>): string {
  // What the app shows may hold no control character, so it is shown in JSON.
  return JSON.stringify(FETCH_DATA_PARAMETERS.map((name) => ids[name] || null))
}
