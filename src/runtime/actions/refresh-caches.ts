import { isArray } from '../internal/hostile-values.ts'
import { runWithin } from '../internal/user-code.ts'
import type { RefreshedSections } from './action.ts'
import type { Visit } from './visit.ts'

/** How long the page waits for caches to invalidate their entries. */
const CACHE_MS = 2_000

/**
 * Invalidates the cached payload that contained the button, and the section
 * entries that the action names, including loads that are still running. Call it
 * when the action is done, when its outcome is unknown, and when it ends late.
 * Never rejects.
 */
export async function refreshCaches(visit: Visit): Promise<void> {
  const { app, ctx, link } = visit
  const { cacheKey } = link
  await Promise.all([
    expire(visit, async () => cacheKey !== undefined && app.cache?.expire?.(ctx, cacheKey)),
    expire(visit, async () => {
      // Plain JavaScript may return a promise here.
      const named: unknown = await Promise.resolve(visit.definition.options.refresh?.(visit.input))
      const sections = (isArray(named) ? named : []) as RefreshedSections
      await Promise.all(sections.map(async ([cache, key]) => cache.expire?.(ctx, key)))
    }),
  ])
}

async function expire({ ctx }: Visit, run: () => Promise<unknown>): Promise<void> {
  try {
    await runWithin(CACHE_MS, run)
  } catch (error) {
    ctx.warnOfCache('not_refreshed', error)
  }
}
