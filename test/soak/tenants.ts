import { memoryStore, sectionCache } from '../../src/runtime/cache/index.ts'
import { noAuth, section, sidecard, text } from '../../src/index.ts'
import { FETCH_DATA_PARAMETERS } from '../../src/runtime/contract/parameters.ts'
import { createFailureList, createSeededInteger, type Soak } from './soak.ts'

const TENANTS = 1_000
const CONCURRENCY = 50

/** Separators of hand-made cache keys. IDs that contain them collide under such a key. */
const SEPARATORS = [
  ',',
  '|',
  '/',
  ':',
  '-',
  '\u0000',
  '\n',
  '"',
  '","',
  '\\',
  '["',
  ' ',
  '&',
  '=',
  '',
]

/**
 * Mixed requests of many tenants through one cache. Each must get its own payload,
 * and concurrent misses must share one call.
 */
export const tenantsSoak: Soak = async ({ count, seed }) => {
  const next = createSeededInteger(seed)
  const found = createFailureList()
  let calls = 0
  const store = memoryStore({ maxEntries: TENANTS / 2 })
  const cache = sectionCache({ name: 'tenants', ttlSeconds: 3_600, store })
  const app = sidecard({
    header: { title: 'Soak' },
    auth: noAuth(),
    logger: false,
    fetchData({ params }) {
      const load = async () => {
        calls += 1
        await Promise.resolve()
        return text({ label: 'IDs', value: formatIds(params) })
      }
      // No part may be blank.
      const key = FETCH_DATA_PARAMETERS.map((name) => `=${params[name] ?? ''}`)
      return [section('IDs', load, { cache, key })]
    },
  })
  const tenants = Array.from({ length: TENANTS }, (_, index) => tenant(index))
  const ask = async (ids: Record<string, string>) => {
    const query = new URLSearchParams({ request_type: 'fetch_data', ...ids })
    const response = await app.request(`/?${query}`)
    const { components } = (await response.json()) as {
      components: { components: { value: string }[] }[]
    }
    const received = components[0]?.components[0]?.value
    if (received !== formatIds(ids)) found.add(`${formatIds(ids)} received ${received}`)
  }
  for (let done = 0; done < count; done += CONCURRENCY) {
    const some = Array.from({ length: CONCURRENCY }, () => tenants[next(TENANTS)] ?? {})
    // oxlint-disable-next-line no-await-in-loop -- batches of 50
    await Promise.all(some.map(ask))
  }
  const before = calls
  const lone = { organization_id: 'o', account_id: 'a thousand concurrent requests' }
  await Promise.all(Array.from({ length: 1_000 }, () => ask(lone)))
  if (calls !== before + 1) found.add(`a thousand misses made ${calls - before} calls`)
  return {
    figures: { requests: count + 1_000, tenants: TENANTS, calls, failures: found.count },
    failures: found.failures,
  }
}

/** Adjacent tenants share a separator and split the same text at different places. */
function tenant(index: number): Record<string, string> {
  const separator = SEPARATORS[index % SEPARATORS.length] ?? ''
  const parts = ['a', 'b', 'c', 'd', String(Math.floor(index / (SEPARATORS.length * 3)))]
  const at = 1 + (Math.floor(index / SEPARATORS.length) % 3)
  return {
    organization_id: parts.slice(0, at).join(separator),
    account_id: parts.slice(at).join(separator),
    issue_id: separator,
  }
}

function formatIds(ids: Readonly<Record<string, string | undefined>>): string {
  // JSON escapes the control characters of the separators.
  return JSON.stringify(FETCH_DATA_PARAMETERS.map((name) => ids[name] || null))
}
