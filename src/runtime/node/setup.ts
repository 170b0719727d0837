import { findTargetHandler } from 'hono/utils/handler'
import { SETUP_PROBLEMS, type SetupProblems } from '../internal/setup.ts'
import type { App } from './options.ts'

interface WithSetup {
  readonly [SETUP_PROBLEMS]?: SetupProblems
}

/**
 * Writes the setup problems of an app and of its mounted apps to standard error,
 * one line each. It never rejects, because the server starts even with problems:
 * the app rejects every request until they are solved.
 */
export async function reportSetupProblems(app: App, env: object): Promise<void> {
  const hooks = [...new Set([app as WithSetup, ...mountedHandlers(app)])]
  const results = await Promise.allSettled(
    hooks.map(async (hook) => (await hook[SETUP_PROBLEMS]?.(env)) ?? []),
  )
  const lines = results.flatMap((result) =>
    result.status === 'fulfilled' ? result.value : ['The setup of the app could not be checked.'],
  )
  for (const line of new Set(lines)) process.stderr.write(`sidecard: ${line}\n`)
}

/**
 * Returns the route handlers of an app. Hono's `route()` copies and wraps the
 * handlers of a mounted app.
 */
function mountedHandlers(app: App): readonly WithSetup[] {
  const { routes } = app as { readonly routes?: readonly { readonly handler: never }[] }
  if (!Array.isArray(routes)) return []
  return (routes as readonly { readonly handler: never }[]).map(
    ({ handler }) => findTargetHandler(handler) as WithSetup,
  )
}
