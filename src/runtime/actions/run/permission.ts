import { runUserCode, runWithin } from '../../internal/user-code.ts'
import { nameAgent } from '../sign-in/agent.ts'
import type { Form, FormValues } from '../fields/fields.ts'
import type { PageView } from '../page/page-view.ts'
import { explainDenial } from '../sign-in/denial-error.ts'
import type { ActionRequest, Visit } from './visit.ts'

/**
 * Calls `authorize`, before the form is shown and before anything is confirmed,
 * looked up or stated. Returns a page if the agent is not allowed to, or if
 * `authorize` throws.
 *
 * @param values the values of the form, if it was sent
 */
export async function forbid(
  visit: Visit,
  values: FormValues<Form> | undefined,
): Promise<PageView | undefined> {
  const { actions, definition, ctx, input, deadline } = visit
  const { options } = definition
  if (options.authorize === undefined) return undefined
  try {
    const allowed = await askRule(ctx, () =>
      runUserCode(() => options.authorize?.(ctx, input, values), deadline),
    )
    return allowed ? undefined : { ...showForbidden(visit), groups: describeGroups(visit) }
  } catch (error) {
    return { ...showForbidden(visit), ...explainDenial(error, actions.messages) }
  }
}

/**
 * Returns whether a rule returned `true`.
 *
 * @throws {unknown} what the rule throws, and the error of reading groups that are not
 * known, even if the rule catches it
 */
async function askRule({ asked }: ActionRequest, rule: () => Promise<unknown>): Promise<boolean> {
  asked.names.clear()
  asked.error = undefined
  const allowed = await rule()
  const { error } = asked
  if (error !== undefined) throw error
  return allowed === true
}

/** Returns the names of groups for the log, those that the rule asked for first. */
function describeGroups({ agent, ctx }: Visit): PageView['groups'] {
  if (agent?.groups === undefined) return undefined
  const { names } = ctx.asked
  const found = agent.groups.toSorted(
    (one, other) => Number(names.has(other)) - Number(names.has(one)),
  )
  return { asked: shorten([...names]), found: shorten(found) }
}

const MAX_NAMES = 20
const MAX_NAME_LENGTH = 100

function shorten(names: readonly string[]): readonly string[] {
  return names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH))
}

/** Shows that the agent lacks permission. */
export function showForbidden({ agent, actions, page }: Visit): PageView {
  const { forbiddenText, forbiddenAnyone } = actions.messages
  const text = agent === undefined ? forbiddenAnyone : forbiddenText(nameAgent(agent))
  return page('forbidden', { text })
}

/**
 * Returns whether the agent may state the outcome of a confirmation. `authorize` has
 * already accepted its values.
 */
export async function maySetOutcome({ app, definition, ctx, input }: Visit): Promise<boolean> {
  const { options } = definition
  if (options.canSetOutcome === undefined) return true
  try {
    // A long run may have used up the time of the request, so this call has its own timeout.
    return await askRule(ctx, () =>
      runWithin(app.timeoutMs, () => options.canSetOutcome?.(ctx, input)),
    )
  } catch (error) {
    ctx.log.warn('sidecard actions', { problem: 'canSetOutcome failed', error })
    return false
  }
}
