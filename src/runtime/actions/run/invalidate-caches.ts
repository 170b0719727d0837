import { findCaches } from '../../internal/known-caches.ts'
import { isArray } from '../../internal/hostile-values.ts'
import { runWithin } from '../../internal/user-code.ts'
import type { CachedSubject, IdentifiedCustomer } from '../../internal/cache-types.ts'
import type { InvalidatedSection } from '../action.ts'
import type { Visit } from './visit.ts'

/** How long the page waits for caches to invalidate their entries. */
const CACHE_MS = 2_000

/**
 * Invalidates the cached sections that were shown next to the button, and those that
 * the option `alsoInvalidates` lists, including loads that are still running. Call it
 * when the action is done, when its outcome is unknown, and when it ends late.
 * Never rejects.
 */
export async function invalidateCaches(visit: Visit): Promise<void> {
  const { definition, input, link } = visit
  await Promise.all([
    ...link.shown.map((shown) => logFailure(visit, () => invalidateShown(visit, shown))),
    logFailure(visit, async () => {
      // Plain JavaScript may return a promise here.
      const listed: unknown = await Promise.resolve(definition.options.alsoInvalidates?.(input))
      const sections = (isArray(listed) ? listed : []) as readonly InvalidatedSection[]
      await Promise.all(
        sections.map((section) => logFailure(visit, () => invalidateListed(visit, section))),
      )
    }),
  ])
}

async function invalidateShown({ app, ctx }: Visit, shown: CachedSubject): Promise<void> {
  const caches = findCaches(app, shown.cache)
  if (caches.length === 0) {
    throw new Error(`This process has no cache with the name ${JSON.stringify(shown.cache)}.`)
  }
  await Promise.all(caches.map(async (cache) => cache.invalidate?.(ctx, shown.subject)))
}

async function invalidateListed({ ctx }: Visit, listed: InvalidatedSection): Promise<void> {
  const { cache, section, key } = listed
  const shared = !('customer' in listed)
  const customers: readonly IdentifiedCustomer[] = shared ? [] : [['id', listed.customer]]
  const subject = await cache.locate?.(ctx, { title: section, customers, key, shared })
  if (subject !== undefined) await cache.invalidate?.(ctx, subject)
}

async function logFailure({ ctx }: Visit, run: () => Promise<unknown>): Promise<void> {
  try {
    await runWithin(CACHE_MS, run)
  } catch (error) {
    ctx.warnOfCache('not_refreshed', error)
  }
}
