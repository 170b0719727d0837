import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import type { CacheScope } from '../internal/cache-types.ts'
import { ownUrl } from './query.ts'
import type { RequestContext } from './request-context.ts'
import { logCacheWarning } from './request-log.ts'

/** Creates the part of a request that its caches use. */
export function createCacheScope(ctx: RequestContext): CacheScope {
  const { app } = ctx
  return {
    app: app.name,
    url: ownUrl(ctx.c.req.url),
    ids: FETCH_DATA_PARAMETERS.map((name) => ctx.params[name] ?? ''),
    env: ctx.c.env,
    bindings: ctx.env,
    waitUntil: ctx.waitUntil,
    warn: (problem, error) => logCacheWarning(app, problem, error),
    span: (name, run) => ctx.span(name, {}, run),
  }
}
