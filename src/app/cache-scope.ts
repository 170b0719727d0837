import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import type { CacheScope } from '../internal/cache-types.ts'
import { ownUrl } from './query.ts'
import type { RequestContext } from './request-context.ts'
import { logCacheWarning } from './request-log.ts'

const scopes = new WeakMap<RequestContext, CacheScope>()

/** Returns the part of a request that its caches use, always the same one. */
export function createCacheScope(ctx: RequestContext): CacheScope {
  let scope = scopes.get(ctx)
  if (scope === undefined) {
    const { app } = ctx
    scope = {
      app: app.name,
      url: ownUrl(ctx.c.req.url),
      ids: FETCH_DATA_PARAMETERS.map((name) => ctx.params[name] ?? ''),
      env: ctx.c.env,
      bindings: ctx.env,
      waitUntil: ctx.waitUntil,
      warn: (problem, error) => logCacheWarning(app, problem, error),
      span: (name, run) => ctx.span(name, {}, run),
    }
    scopes.set(ctx, scope)
  }
  return scope
}
