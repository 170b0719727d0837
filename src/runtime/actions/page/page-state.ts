import { isDeveloperRequest } from '../../app/request/developer-request.ts'
import { PAGE_STATE_HEADER } from '../../internal/headers.ts'
import type { PageView } from './page-view.ts'
import { forbid, showForbidden } from '../run/permission.ts'
import { renderReceipt } from './receipt-page.ts'
import type { Receipt } from '../receipts/receipts.ts'
import { showForm } from './show-page.ts'
import { timesOf } from '../receipts/states.ts'
import type { Visit } from '../run/visit.ts'

/**
 * The states of an action's page that a developer tool can request. Showing one
 * does not use the store, and changes nothing.
 */
const PAGE_STATES: Readonly<Record<string, (visit: Visit) => PageView | Promise<PageView>>> = {
  form: async (visit) => (await forbid(visit, undefined)) ?? showForm(visit, {}),
  running: (visit) => showExample(visit, 'running'),
  done: (visit) => showExample(visit, 'done'),
  unknown: (visit) => showExample(visit, 'unknown'),
  expired: (visit) => visit.page('expired'),
  forbidden: showForbidden,
}

/** Returns the page in the state that a developer requests; `undefined` if none is requested. */
export async function showState(visit: Visit): Promise<PageView | undefined> {
  const { c } = visit
  const state = c.req.raw.headers.get(PAGE_STATE_HEADER)
  if (state === null || c.req.method !== 'GET' || !isDeveloperRequest(c)) return undefined
  if (!Object.hasOwn(PAGE_STATES, state)) {
    const text = `${PAGE_STATE_HEADER} must be one of ${Object.keys(PAGE_STATES).join(', ')}.`
    return visit.page('invalid', { text })
  }
  const view = await PAGE_STATES[state]!(visit)
  // If `show` failed or the agent lacks permission, there is no form, so the state is not shown.
  return state === 'form' && view.form === undefined ? view : { ...view, state }
}

/** Shows a receipt as if the agent had just confirmed with this link. */
function showExample(visit: Visit, state: Receipt['state']): Promise<PageView> {
  const { agent, definition, actionKey, link, linkId, traceId } = visit
  const { timeoutMs, lateMs } = definition
  const nowMs = visit.now()
  const ids = { actionKey, linkId, attemptId: '', app: '', action: definition.name, traceId }
  const times = { startedAtMs: nowMs, changedAtMs: nowMs, ...timesOf(nowMs, timeoutMs, lateMs) }
  const key = { idempotencyKey: '', keySeed: '', encrypted: '' }
  const rest = { number: 1, revision: 0, keepUntilSeconds: Infinity, agent }
  const content = { input: link.input, values: {}, sentence: definition.label }
  return renderReceipt(visit, { ...ids, ...times, ...key, ...rest, state }, content)
}
