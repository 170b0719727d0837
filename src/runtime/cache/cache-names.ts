import type { CacheScope } from '../internal/cache-types.ts'
import { SidecardError } from '../internal/errors.ts'

const claims = new Map<string, number>()
const warned = new Set<string>()

/** The newest use of each name, in an app and in a request. */
const uses = new WeakMap<object, Map<string, number>>()

/**
 * Claims a name. If a module is evaluated again, as by Vite or
 * `vi.resetModules()`, it claims the name again, and the cache of the earlier
 * evaluation stays usable.
 *
 * @returns a function that checks the name for one request. It throws
 * `invalid_options` if the app uses another cache of this name.
 */
export function claimName(name: string): (ctx: CacheScope) => void {
  const claim = (claims.get(name) ?? 0) + 1
  claims.set(name, claim)

  return (ctx) => {
    if (claim > 1 && !warned.has(name)) {
      warned.add(name)
      ctx.warnOfCache('name_reused', new Error(`The name is ${JSON.stringify(name)}.`))
    }
    // After the module is evaluated again, an app may switch to the new cache, but not back.
    if (use(ctx, name, claim) === claim && use(ctx.app, name, claim) <= claim) return
    throw new SidecardError(
      'invalid_options',
      `sectionCache: two caches of this app have the name ${JSON.stringify(name)}. Give each its own name, and create it at module level.`,
    )
  }
}

/** Returns the newest earlier use of a name; if there is none, this use. */
function use(scope: object, name: string, claim: number): number {
  const names = uses.get(scope) ?? new Map<string, number>()
  uses.set(scope, names)
  const last = names.get(name) ?? claim
  names.set(name, Math.max(last, claim))
  return last
}
