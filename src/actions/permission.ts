import { runUserCode, runWithin } from '../internal/user-code.ts'
import { nameAgent } from './agent.ts'
import type { Form, FormValues } from './fields.ts'
import type { PageView } from './page-view.ts'
import type { Visit } from './visit.ts'

/**
 * Calls `allow`, before the form is shown and before anything is confirmed,
 * resolved or reconciled. Returns a page if the agent is not allowed to, or if
 * `allow` throws.
 *
 * @param values the values of the form, if it was sent
 */
export async function forbid(
  visit: Visit,
  values: FormValues<Form> | undefined,
): Promise<PageView | undefined> {
  const { definition, ctx, input, deadline } = visit
  const { options } = definition
  if (options.allow === undefined) return undefined
  try {
    const allowed: unknown = await runUserCode(() => options.allow?.(ctx, input, values), deadline)
    return allowed === true ? undefined : showForbidden(visit)
  } catch (error) {
    return { ...showForbidden(visit), error, showsTraceId: true }
  }
}

/** Shows that the agent lacks permission. */
export function showForbidden({ agent, actions, page }: Visit): PageView {
  const { forbiddenText, forbiddenAnyone } = actions.messages
  const text = agent === undefined ? forbiddenAnyone : forbiddenText(nameAgent(agent))
  return page('forbidden', { text })
}

/** Returns whether the agent may state the outcome of a confirmation. */
export async function mayResolve({ app, definition, ctx, input }: Visit): Promise<boolean> {
  try {
    // A long run may have used up the time of the request, so this call has its own timeout.
    return (await runWithin(app.timeoutMs, () => definition.options.resolve?.(ctx, input))) === true
  } catch (error) {
    ctx.log.warn('sidecard actions', { problem: 'resolve failed', error })
    return false
  }
}
