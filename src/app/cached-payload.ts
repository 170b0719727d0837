import { encodePayload } from '../contract/encode.ts'
import type { CachedPayload, PayloadCache } from '../internal/cache-types.ts'
import { createCacheScope } from './cache-scope.ts'
import { runFetchData } from './fetch-data.ts'
import type { ResolvedOptions } from './options.ts'
import type { Outcome } from './outcome.ts'
import type { RequestContext } from './request-context.ts'
import { logDataFetch } from './request-log.ts'

/** Returns the payload of a cache, or runs `fetchData`. Never rejects. */
export async function fetchThroughCache(
  cache: PayloadCache<object>,
  ctx: RequestContext,
): Promise<Outcome> {
  const { app } = ctx
  const cached = await cache.fetch<Outcome>({
    scope: createCacheScope(ctx),
    ctx,
    timeoutMs: app.timeoutMs,
    isValid: (json) => isValidPayload(json, app),
    load: (reason) => loadForCache(reason === 'miss' ? ctx : ctx.renew(), reason === 'refresh'),
  })
  if (cached.status === 'miss') return { ...cached.result, cache: 'miss' }
  const { json, componentCount, sections, via, unmatched = [] } = cached.entry
  const match = via === undefined ? undefined : { via, unmatched }
  return { kind: 'complete', json, componentCount, sections, match, cache: cached.status }
}

async function loadForCache(
  ctx: RequestContext,
  isRefresh: boolean,
): Promise<{ result: Outcome; entry?: CachedPayload }> {
  const result = await runFetchData(ctx)
  const { kind, json, componentCount, sections, match } = result
  // No request waits for a refresh, so its failures get their own log line.
  if (isRefresh) {
    ctx.deadline.clear()
    if (kind === 'failed') logDataFetch(ctx, result, undefined)
  }
  return kind === 'complete'
    ? { result, entry: { json, componentCount, sections, ...match } }
    : { result }
}

/**
 * Only the JSON that this app would have written is valid, because JSON parsers
 * differ on duplicate keys.
 */
function isValidPayload(json: string, app: ResolvedOptions): boolean {
  try {
    const encoded = encodePayload(JSON.parse(json), app)
    return encoded.ok && encoded.json === json
  } catch {
    return false
  }
}
