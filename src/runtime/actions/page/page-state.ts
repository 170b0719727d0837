import { PAGE_STATE_HEADER } from '../../internal/headers.ts'
import type { ReceiptState } from '../receipts/receipts.ts'
import { timesOf } from '../receipts/states.ts'
import { findDenial } from '../run/permission.ts'
import type { ActionPageRequest, PageView } from './page-view.ts'
import { renderReceipt, showDenied, showForm } from './views.ts'

type Show = (request: ActionPageRequest) => PageView | Promise<PageView>

/**
 * The states of an action's page that a developer tool can request. Showing one
 * does not use the store, and changes nothing.
 */
const PAGE_STATES: Readonly<Record<string, Show>> = {
  form: async (request) => {
    const denial = await findDenial(request, undefined)
    return denial === undefined ? showForm(request, {}) : showDenied(request, denial)
  },
  running: (request) => showExample(request, 'running'),
  done: (request) => showExample(request, 'done'),
  unknown: (request) => showExample(request, 'unknown'),
  expired: ({ page }) => page('expired'),
  forbidden: (request) => showDenied(request, {}),
}

/** Shows the page in the state that a developer requests. */
export async function showState(request: ActionPageRequest): Promise<PageView> {
  const state = request.c.req.raw.headers.get(PAGE_STATE_HEADER) ?? ''
  if (!Object.hasOwn(PAGE_STATES, state)) {
    const text = `${PAGE_STATE_HEADER} must be one of ${Object.keys(PAGE_STATES).join(', ')}.`
    return request.page('invalid', { text })
  }
  const view = await PAGE_STATES[state]!(request)
  // If `show` failed or the agent lacks permission, there is no form, so the state is not shown.
  return state === 'form' && view.form === undefined ? view : { ...view, state }
}

/** Shows a receipt as if the agent had just confirmed with this link. */
function showExample(request: ActionPageRequest, state: ReceiptState): Promise<PageView> {
  const { agent, definition, actionKey, link, linkId, traceId } = request
  const { timeoutMs, lateMs } = definition
  const nowMs = request.now()
  const ids = { actionKey, linkId, attemptId: '', app: '', action: definition.name, traceId }
  const times = { startedAtMs: nowMs, changedAtMs: nowMs, ...timesOf(nowMs, timeoutMs, lateMs) }
  const key = { idempotencyKey: '', keySeed: '', encrypted: '' }
  const rest = { number: 1, revision: 0, keepUntilSeconds: Infinity, agent }
  const content = { input: link.input, values: {}, sentence: definition.label }
  return renderReceipt(request, { ...ids, ...times, ...key, ...rest, state }, content)
}
