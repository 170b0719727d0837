import { findCaches } from '../../internal/known-caches.ts'
import { isArray } from '../../internal/hostile-values.ts'
import { runWithin } from '../../internal/user-code.ts'
import type { CachedSubject, IdentifiedCustomer } from '../../internal/cache-types.ts'
import type { AuthorizedRequest } from './authorized-request.ts'
import type { InvalidatedSection } from './definition.ts'

/** How long the page waits for caches to invalidate their entries. */
const CACHE_MS = 2_000

/**
 * Invalidates the cached sections that were shown next to the button, and those that
 * the option `alsoInvalidates` lists, including loads that are still running. Call it
 * when the action is done, when its outcome is unknown, and when it ends late.
 * Never rejects.
 */
export async function invalidateCaches(request: AuthorizedRequest): Promise<void> {
  const { definition, input, link } = request
  await Promise.all([
    ...link.shown.map((shown) => logFailure(request, () => invalidateShown(request, shown))),
    logFailure(request, async () => {
      // Plain JavaScript may return a promise here.
      const listed: unknown = await Promise.resolve(definition.options.alsoInvalidates?.(input))
      const sections = (isArray(listed) ? listed : []) as readonly InvalidatedSection[]
      await Promise.all(
        sections.map((section) => logFailure(request, () => invalidateListed(request, section))),
      )
    }),
  ])
}

async function invalidateShown(
  { app, ctx }: AuthorizedRequest,
  shown: CachedSubject,
): Promise<void> {
  const caches = findCaches(app, shown.cache)
  if (caches.length === 0) {
    throw new Error(`This process has no cache with the name ${JSON.stringify(shown.cache)}.`)
  }
  await Promise.all(caches.map(async (cache) => cache.invalidate?.(ctx, shown.subject)))
}

async function invalidateListed(
  { ctx }: AuthorizedRequest,
  listed: InvalidatedSection,
): Promise<void> {
  const { cache, section, key } = listed
  const shared = !('customer' in listed)
  const customers: readonly IdentifiedCustomer[] = shared ? [] : [['id', listed.customer]]
  const subject = await cache.locate?.(ctx, { title: section, customers, key, shared })
  if (subject !== undefined) await cache.invalidate?.(ctx, subject)
}

async function logFailure({ ctx }: AuthorizedRequest, run: () => Promise<unknown>): Promise<void> {
  try {
    await runWithin(CACHE_MS, run)
  } catch (error) {
    ctx.warnOfCache('not_refreshed', error)
  }
}
