import { runUserCode, runWithin } from '../../internal/user-code.ts'
import type { Form, FormValues } from '../fields/fields.ts'
import type { ActionCallContext, AuthorizedRequest } from './authorized-request.ts'

/** Says that an agent may not do something: what the rule threw, or the groups for the log. */
export interface Denial {
  readonly error?: unknown
  /** The names of groups that the rule asked for, and those of the agent. */
  readonly groups?: Readonly<Record<'asked' | 'found', readonly string[]>> | undefined
}

/**
 * Calls `authorize`, before the form is shown and before anything is confirmed,
 * looked up or stated. Returns nothing if the agent is allowed to.
 *
 * @param values the values of the form, if it was sent
 */
export async function findDenial(
  request: AuthorizedRequest,
  values: FormValues<Form> | undefined,
): Promise<Denial | undefined> {
  const { definition, ctx, input, deadline } = request
  const { options } = definition
  if (options.authorize === undefined) return undefined
  try {
    const isAllowed = await askRule(ctx, () =>
      runUserCode(() => options.authorize?.(ctx, input, values), deadline),
    )
    return isAllowed ? undefined : { groups: describeGroups(request) }
  } catch (error) {
    return { error }
  }
}

/**
 * Returns why the agent may not state the outcome of a confirmation; `undefined` if they may.
 *
 * @param values the values of the confirmation; absent if the secret that encrypted them is gone.
 * Then, only agents whom `authorize` accepts without values may state the outcome
 */
export async function findDenialToSet(
  request: AuthorizedRequest,
  values: FormValues<Form> | undefined,
): Promise<Denial | undefined> {
  const { app, definition, ctx, input } = request
  const { options } = definition
  const denial = await findDenial(request, values)
  if (denial !== undefined || options.canSetOutcome === undefined) return denial
  try {
    // A long run may have used up the time of the request, so this call has its own timeout.
    const isAllowed = await askRule(ctx, () =>
      runWithin(app.timeoutMs, () => options.canSetOutcome?.(ctx, input)),
    )
    return isAllowed ? undefined : {}
  } catch (error) {
    ctx.log.warn('sidecard actions', { problem: 'canSetOutcome failed', error })
    return {}
  }
}

/**
 * Returns whether a rule returned `true`.
 *
 * @throws {unknown} what the rule throws, and the error of reading groups that are not
 * known, even if the rule catches it
 */
async function askRule(
  { asked }: ActionCallContext,
  rule: () => Promise<unknown>,
): Promise<boolean> {
  asked.names.clear()
  asked.error = undefined
  const allowed = await rule()
  const { error } = asked
  if (error !== undefined) throw error
  return allowed === true
}

/** Returns the names of groups for the log, those that the rule asked for first. */
function describeGroups({ agent, ctx }: AuthorizedRequest): Denial['groups'] {
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
