import type { Context } from 'hono'
import { isDeveloperRequest } from '../../app/request/developer-request.ts'
import { describeError } from '../../app/observe/log-error.ts'
import { logRequest } from '../../app/request/request-log.ts'
import { readActionTest } from '../../internal/action-test.ts'
import {
  OUTCOME_HEADER,
  PAGE_STATE_APPLIED_HEADER,
  PAGE_STATE_HEADER,
  TRACE_HEADER,
} from '../../internal/headers.ts'
import { createTraceId } from '../../internal/trace-id.ts'
import { Deadline } from '../../internal/user-code.ts'
import { WIDGET_STYLE } from '../../render/html-style.ts'
import { UNAVAILABLE } from '../links/buttons.ts'
import { isDevelopment, readNow } from '../links/setup.ts'
import { findDenial } from '../run/permission.ts'
import { writeRecord } from '../run/notify.ts'
import type { ActionMessages } from '../messages.ts'
import { nameAgent } from '../sign-in/agent.ts'
import { findForeignOrigin, readFormBody } from './form-body.ts'
import { type Opened, openActionPage } from './open-link.ts'
import { renderPage } from './page-html.ts'
import { showState } from './page-state.ts'
import { ACTION_STYLE } from './page-style.ts'
import {
  type ActionPageRequest,
  OUTCOMES,
  type PageOutcome,
  type PageApp,
  type PageRequest,
  type PageView,
} from './page-view.ts'
import { showDenied, showPage } from './views.ts'
import { handleSignIn, signOutPath } from './open-link.ts'
import { submit } from './submit.ts'

type Ended = Opened & { readonly view: PageView }

/** Responds to a request to the page of the actions. */
export async function handlePage(c: Context, page: PageApp): Promise<Response> {
  const { app, actions } = page
  const test = readActionTest(c)
  const deadline = new Deadline(app.timeoutMs)
  const request: PageRequest = {
    ...page,
    c,
    test,
    deadline,
    traceId: createTraceId(),
    startedAtMs: Date.now(),
    now: () => readNow(test),
    page: (outcome, changes) => createPage(actions.messages, outcome, changes),
  }
  try {
    return await finishPage(request, await respondTo(request))
  } finally {
    deadline.clear()
  }
}

async function respondTo(request: PageRequest): Promise<Ended> {
  const { c, app, actions, reader, deadline } = request
  const { messages } = actions
  const { method } = c.req
  // Scanners and prefetches send GET or HEAD. GET changes nothing, and HEAD is rejected here.
  if (method !== 'GET' && method !== 'POST') {
    return { view: request.page('invalid', { status: 405 }) }
  }
  const unavailable = (problems?: readonly string[]) => {
    const { unavailableText: text } = messages
    return { view: request.page('failed', { status: 503, text, problems }) }
  }
  const bindings = await app.readBindings(c.env, deadline)
  if (bindings.problems !== undefined) return unavailable(bindings.problems)
  const { setup, problems } = await reader.read(c, bindings.env, request.test)
  if (setup === undefined) return unavailable(problems)

  let body: URLSearchParams | undefined
  if (method === 'POST') {
    const foreign = findForeignOrigin(c, setup.pageUrl, messages)
    if (foreign !== undefined) return { view: request.page('forbidden', foreign) }
    const read = await readFormBody(c, deadline)
    if (typeof read === 'string') {
      const { unreadable: heading, unreadableText: text } = messages
      return { view: request.page('invalid', { heading, text, problems: [read] }) }
    }
    body = read
  }
  const ready = { ...request, setup, env: bindings.env, body }
  const signInView = await handleSignIn(ready)
  if (signInView !== undefined) return signInView
  const query = body ?? new URL(c.req.url).searchParams
  const [token = '', ...others] = query.getAll('t')
  if (others.length > 0) return { view: request.page('invalid') }
  if (token === '' && body === undefined) {
    if (query.has(UNAVAILABLE)) return unavailable()
    const { noLink: heading, noLinkText: text } = messages
    return { view: request.page('invalid', { heading, text }) }
  }
  const opened = await openActionPage(ready, token)
  if (opened.request === undefined) return { view: request.page('invalid'), ...opened }
  return { ...opened, view: await showAction(opened.request) }
}

async function showAction(request: ActionPageRequest): Promise<PageView> {
  const { c, body } = request
  if (body === undefined && c.req.raw.headers.has(PAGE_STATE_HEADER) && isDeveloperRequest(c)) {
    return showState(request)
  }
  const denial = await findDenial(request, undefined)
  if (denial !== undefined) return showDenied(request, denial)
  return body === undefined ? showPage(request) : submit(request, body)
}

/** Writes the log line and the audit record of a request, and its response. */
async function finishPage(
  request: PageRequest,
  { view, request: opened, link, response }: Ended,
): Promise<Response> {
  const { app, c, traceId, actions } = request
  const { outcome, state, error, audit } = view
  const agent = opened?.agent
  const status = response?.status ?? view.status
  if (state === undefined || error !== undefined) {
    logPage(request, view, status, { action: link?.name, agent: agent?.id })
  }
  if (link !== undefined && state === undefined) {
    writeRecord({ ...request, link, agent }, { outcome, status }, audit)
  }
  if (response !== undefined) return response
  const html = await renderPage(view, {
    messages: actions.messages,
    timeZone: actions.timeZone,
    appName: app.name,
    label: opened?.definition.label,
    agent: agent && nameAgent(agent),
    signOut: opened && agent && signOutPath(opened),
    traceId,
  })
  return c.newResponse(html, status as 200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': createPolicy(actions.signIn.signInOrigins),
    // With no-referrer, browsers would send the form with `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    'cross-origin-opener-policy': 'same-origin',
    [OUTCOME_HEADER]: outcome,
    [TRACE_HEADER]: traceId,
    ...(state !== undefined && { [PAGE_STATE_APPLIED_HEADER]: state }),
    ...(status === 405 && { allow: 'GET, POST' }),
  })
}

/**
 * Creates the Content-Security-Policy. A form may only be redirected to its own
 * origin and to the sign-in.
 */
function createPolicy(signInOrigins: readonly string[] = []): string {
  const styles = [WIDGET_STYLE, ACTION_STYLE].map(({ hash }) => `'sha256-${hash}'`).join(' ')
  const targets = ["'self'", ...signInOrigins].join(' ')
  return `default-src 'none'; style-src ${styles}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}

/**
 * Writes the log line of a request. It never contains the input or the values, and
 * contains the agent only during development, for the workspace.
 */
function logPage(
  { app, c, traceId, startedAtMs }: PageRequest,
  { outcome, error, problems, groups }: PageView,
  status: number,
  { action, agent }: Readonly<Record<'action' | 'agent', string | undefined>>,
): void {
  const isDev = isDevelopment(c)
  const fields = {
    requestType: 'action',
    action,
    status,
    outcome,
    traceId,
    problems,
    groups,
    ...(isDev && { method: c.req.method, agent }),
    ...(error !== undefined && { error: describeError(error, app.logErrors) }),
  }
  // An ActionError is an answer, and no failure.
  const level = error === undefined || outcome === 'refused' ? OUTCOMES[outcome].level : 'error'
  logRequest(isDev ? { ...app, logsEveryRequest: true } : app, level, fields, startedAtMs)
}

/** Creates the page of an outcome. `changes` replace the parts of the table. */
function createPage(
  messages: ActionMessages,
  name: PageOutcome,
  changes: Partial<PageView> = {},
): PageView {
  const { heading, text, ...rest } = OUTCOMES[name]
  const shown = text === undefined ? {} : { text: messages[text] }
  return { outcome: name, ...rest, heading: messages[heading], ...shown, ...changes }
}
