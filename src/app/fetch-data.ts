import { isAbsent } from '../builders/children.ts'
import { isSection } from '../builders/section.ts'
import { andThen, attempt } from '../internal/and-then.ts'
import type { CachedPayload, PayloadCache } from '../internal/cache-types.ts'
import { consumeRejections, Deadline } from '../internal/user-code.ts'
import { isArray, isInstance, isThenable, readProperty } from '../internal/hostile-values.ts'
import { encodePayload } from '../contract/encode.ts'
import { createCacheScope } from './cache-scope.ts'
import type { SettledChildren } from './child-limits.ts'
import { settleChildren } from './children.ts'
import type { FetchDataContext } from './context.ts'
import { DesignedCardError } from './designed-card.ts'
import { encodeOwnCard, joinPieces } from './encode.ts'
import { createInvalidPayloadError, IdentityError, PayloadError } from './errors.ts'
import { classifyFailure, createFailureCard, type NewFailure, reportFailure } from './failures.ts'
import type { ResolvedOptions } from './options.ts'
import type { Outcome } from './outcome.ts'
import type { RequestContext } from './request-context.ts'
import { logDataFetch } from './request-log.ts'
import { encodeDesignedCard, encodeReplacement } from './settle-child.ts'

/** Runs `fetchData`, through the cache if there is one. Never rejects. */
export function fetchPayload<T>(
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Outcome | Promise<Outcome> {
  const { cache } = app
  return cache === undefined ? runFetchData(ctx, app) : fetchThroughCache(cache, ctx, app)
}

async function fetchThroughCache<T>(
  cache: PayloadCache<FetchDataContext<T>>,
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Promise<Outcome> {
  const cached = await cache.fetch<Outcome>({
    scope: createCacheScope(ctx, app),
    ctx,
    timeoutMs: app.timeoutMs,
    isValid: (json) => isValidPayload(json, app),
    load: (reason) => (reason === 'miss' ? loadForCache(ctx, app) : refreshCache(ctx, app)),
  })
  if (cached.status === 'miss') return { ...cached.result, cache: 'miss' }
  const { json, componentCount, sections, via, unmatched = [] } = cached.entry
  const match = via === undefined ? undefined : { via, unmatched }
  return { ...COMPLETE, json, componentCount, sections, match, cache: cached.status }
}

const COMPLETE = { hasDesignedCard: false, failures: [], traceId: undefined } as const

async function loadForCache<T>(
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Promise<{ result: Outcome; entry?: CachedPayload }> {
  const result = await runFetchData(ctx, app)
  const { json, componentCount, sections, match, failures, hasDesignedCard } = result
  return failures.length > 0 || hasDesignedCard
    ? { result }
    : { result, entry: { json, componentCount, sections, ...match } }
}

/** No request waits for a refresh, so its failures get their own log line. */
async function refreshCache<T>(
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Promise<{ result: Outcome; entry?: CachedPayload }> {
  const refreshCtx = ctx.renew()
  const loaded = await loadForCache(refreshCtx, app)
  if (loaded.result.failures.length > 0) logDataFetch(refreshCtx, loaded.result, undefined, app)
  return loaded
}

function runFetchData<T>(
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Outcome | Promise<Outcome> {
  const timeout = new Deadline(app.timeoutMs, (error) => ctx.abort(error))
  return attempt(() => {
    const returned: unknown =
      ctx.observer?.span('fetchData', {}, async () => app.fetchData(ctx)) ?? app.fetchData(ctx)
    return andThen(isThenable(returned) ? timeout.race(returned) : returned, settle)
  }, fail)

  function settle(result: unknown): Outcome | Promise<Outcome> {
    const { head, children } = readResult(result, app)
    return andThen(settleChildren(children, ctx, timeout, app), (settled) => join(head, settled))
  }

  function join(head: string, settled: SettledChildren): Outcome {
    timeout.clear()
    const { pieces, sections, outcome, hasDesignedCard } = settled
    const { json, componentCount } = joinPieces(head, pieces, app)
    const { failures, match, traceId } = ctx.result(outcome !== undefined)
    return { json, componentCount, sections, outcome, hasDesignedCard, failures, match, traceId }
  }

  function fail(error: unknown): Outcome {
    timeout.clear()
    const isTimeout = timeout.error !== undefined && error === timeout.error
    return replacePayload(error, isTimeout, ctx, app)
  }
}

/** Reads the head and the children from a return value: children, one child, or a payload. */
function readResult<T>(
  result: unknown,
  app: ResolvedOptions<T>,
): { head: string; children: readonly unknown[] } {
  if (isArray(result)) return { head: app.head, children: result }
  if (isAbsent(result) && result !== undefined) return { head: app.head, children: [] }
  if (typeof result !== 'object' || result === null) throw createReturnTypeError(result)
  if (isSection(result) || readProperty(result, 'type') !== undefined) {
    return { head: app.head, children: [result] }
  }
  const components = readProperty(result, 'components')
  if (!isArray(components)) {
    consumeRejections(result)
    throw createReturnTypeError(result)
  }
  const encoded = encodePayload({ ...result, components: [] }, app)
  if (!encoded.ok) {
    consumeRejections(result)
    throw createInvalidPayloadError(encoded.issues)
  }
  return { head: encoded.json.slice(0, -2), children: components }
}

function createReturnTypeError(result: unknown): PayloadError {
  const hint = result === undefined ? ' It returned undefined: is a return missing?' : ''
  return new PayloadError(
    'invalid_payload',
    `fetchData must return an array of components or payload(…).${hint}`,
  )
}

/** Creates the payload for an agent if the return value of `fetchData` cannot be shown. */
function replacePayload<T>(
  thrown: unknown,
  isTimeout: boolean,
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Outcome {
  const show = (piece: Parameters<typeof joinPieces>[1][number]) =>
    joinPieces(app.head, [piece], { ...app, maxComponents: Infinity, maxBodyBytes: Infinity })
  let error = thrown
  if (isInstance(thrown, DesignedCardError)) {
    const designed = encodeDesignedCard(thrown, app)
    if ('piece' in designed) {
      const { piece, outcome } = designed
      return { ...show(piece), outcome, hasDesignedCard: true, sections: [], ...ctx.result(true) }
    }
    error = designed.error
  }
  const failure = classifyFailure(error, isTimeout)
  const identityChildren = isInstance(error, IdentityError) ? error.children : undefined
  // The payload shows neither the sections nor what replaced them.
  for (const shown of ctx.failures as NewFailure[]) {
    delete shown.component
    shown.stale = false
  }
  const children = reportFailure(failure, ctx, app) ?? identityChildren
  const piece =
    encodeReplacement(children, app) ??
    encodeOwnCard(
      createFailureCard(failure.kind, undefined, ctx.traceId, app.messages),
      app.uriSchemes,
    )
  return { ...show(piece), hasDesignedCard: false, sections: [], ...ctx.result() }
}

/**
 * Only the JSON that this app would have written is valid, because JSON parsers
 * differ on duplicate keys.
 */
function isValidPayload<T>(json: string, app: ResolvedOptions<T>): boolean {
  try {
    const encoded = encodePayload(JSON.parse(json), app)
    return encoded.ok && encoded.json === json
  } catch {
    return false
  }
}
