import type { CacheScope } from '../internal/cache-types.ts'
import { SidecardError } from '../internal/errors.ts'

/** A use of the name of a section cache. The newest cache of a name replaces the others. */
export interface ClaimedName {
  /**
   * Checks the name for one request.
   *
   * @throws {SidecardError} `invalid_options` if its app uses another cache of this name
   */
  assertOwn(this: void, ctx: CacheScope): void
}

/** The caches of one name in one app. */
interface Users {
  newest: boolean
  replaced: boolean
}

const newest = new Map<string, object>()
const warned = new Set<string>()

/**
 * Claims a name, again if a module is evaluated again: by Vite, or by
 * `vi.resetModules()`. The cache that it then no longer uses may stay.
 */
export function claimName(name: string): ClaimedName {
  const owner = {}
  const isAgain = newest.has(name)
  newest.set(name, owner)

  return {
    assertOwn(ctx) {
      if (isAgain && !warned.has(name)) {
        warned.add(name)
        ctx.warnOfCache('name_reused', new Error(`The name is ${JSON.stringify(name)}.`))
      }
      const used = findUsers(name, ctx.app)
      if (newest.get(name) === owner) used.newest = true
      else used.replaced = true
      if (!used.newest || !used.replaced) return
      throw new SidecardError(
        'invalid_options',
        `sectionCache: two caches of this app have the name ${JSON.stringify(name)}. Give each its own name, and create it at module level.`,
      )
    },
  }
}

const apps = new WeakMap<object, Map<string, Users>>()

function findUsers(name: string, app: object): Users {
  const names = apps.get(app) ?? new Map<string, Users>()
  apps.set(app, names)
  const users = names.get(name) ?? { newest: false, replaced: false }
  names.set(name, users)
  return users
}
