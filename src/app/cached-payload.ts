import { encodePayload } from '../contract/encode.ts'
import type { PayloadCache } from '../internal/cache-types.ts'
import { requireValid } from './errors.ts'
import { runFetchData } from './fetch-data.ts'
import type { Outcome } from './outcome.ts'
import type { RequestContext } from './request-context.ts'
import { logDataFetch } from './request-log.ts'

/** Returns the payload of a cache, or runs `fetchData`. Never rejects. */
export function fetchThroughCache(
  cache: PayloadCache<object>,
  ctx: RequestContext,
): Promise<Outcome> {
  return cache.fetch<Outcome>({
    ctx,
    async load(reason) {
      const isRefresh = reason === 'refresh'
      const own = isRefresh ? ctx.renew() : ctx
      const outcome = await runFetchData(own)
      if (isRefresh) own.deadline.clear()
      // No request waits for a refresh, so its failures get their own log line.
      if (isRefresh && outcome.failures) logDataFetch(own, outcome, undefined)
      return { ...outcome, isDesigned: own.isDesigned }
    },
    encode: (payload) => requireValid(encodePayload(payload, ctx.app)).json,
  })
}
