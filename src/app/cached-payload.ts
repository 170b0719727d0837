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
    load: (reason) => (reason === 'miss' ? load(ctx) : refresh(ctx.renew())),
    encode: (payload) => requireValid(encodePayload(payload, ctx.app)).json,
  })
}

async function load(ctx: RequestContext): Promise<Outcome & { readonly isDesigned: boolean }> {
  const outcome = await runFetchData(ctx)
  return { ...outcome, isDesigned: ctx.isDesigned }
}

/** No request waits for a refresh, so its failures get their own log line. */
async function refresh(ctx: RequestContext): Promise<Outcome> {
  const outcome = await load(ctx)
  ctx.deadline.clear()
  if (outcome.kind === 'failed') logDataFetch(ctx, outcome, undefined)
  return outcome
}
