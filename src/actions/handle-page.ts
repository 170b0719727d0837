import type { Context } from 'hono'
import { OUTCOME_HEADER, PAGE_STATE_APPLIED_HEADER, TRACE_HEADER } from '../internal/headers.ts'
import { createTraceId } from '../internal/trace-id.ts'
import { readActionTest } from '../internal/action-test.ts'
import { Deadline } from '../internal/user-code.ts'
import { WIDGET_STYLE } from '../render/html-style.ts'
import { nameAgent } from './agent.ts'
import { isSameOrigin, readFormBody } from './form-body.ts'
import { UNAVAILABLE } from './make-links.ts'
import { openVisit } from './open-visit.ts'
import { createPage, type PageView } from './page-view.ts'
import { renderPage } from './page-html.ts'
import { ACTION_STYLE } from './page-style.ts'
import { showState } from './page-state.ts'
import { forbid } from './permission.ts'
import { logPage, writeRecord } from './record.ts'
import { readNow } from './setup.ts'
import { handleSignIn, signOutPath } from './sign-in.ts'
import { showPage } from './show-page.ts'
import { submit } from './submit.ts'
import type { PageApp, Request, Visit } from './visit.ts'

/** Responds to a request to the page of the actions. */
export async function handlePage(c: Context, page: PageApp): Promise<Response> {
  const deadline = new Deadline(page.app.timeoutMs)
  const test = readActionTest(c)
  const times = { startedAtMs: Date.now(), nowMs: readNow(test) }
  const request = { ...page, ...times, c, deadline, test, traceId: createTraceId() }
  try {
    return await finishPage(request, await respondTo(request))
  } finally {
    deadline.clear()
  }
}

interface Result {
  readonly view: PageView
  readonly visit?: Visit
  /** The link of a request that was denied, for the audit record. */
  readonly link?: Visit['link'] | undefined
  /** The response of the option `signIn`. */
  readonly response?: Response
}

async function respondTo(request: Request): Promise<Result> {
  const { c, app, actions, reader, deadline } = request
  const { messages } = actions
  const { method } = c.req
  // A scanner or a prefetch sends GET or HEAD, so neither changes anything.
  if (method !== 'GET' && method !== 'POST') {
    return { view: createPage(request, 'invalid', { status: 405 }) }
  }
  const bindings = await app.readBindings(c.env, deadline)
  if (bindings.problems !== undefined) return { view: unavailable(request, bindings.problems) }
  const { env } = bindings
  const found = await reader.read(c, env, request.test)
  if ('problems' in found) return { view: unavailable(request, found.problems) }
  const { setup } = found

  let body: URLSearchParams | undefined
  if (method === 'POST') {
    if (!isSameOrigin(c, setup.pageUrl)) {
      return { view: createPage(request, 'forbidden', { text: messages.foreignForm }) }
    }
    body = await readFormBody(c, deadline)
    if (body === undefined) return { view: createPage(request, 'invalid') }
  }
  const ownResult = await handleSignIn(request, setup, env)
  if (ownResult !== undefined) return ownResult
  const query = body ?? new URL(c.req.url).searchParams
  const [token = '', ...others] = query.getAll('t')
  if (others.length > 0) return { view: createPage(request, 'invalid') }
  if (token === '' && body === undefined) {
    if (query.has(UNAVAILABLE)) return { view: unavailable(request) }
    const { noLink: heading, noLinkText: text } = messages
    return { view: createPage(request, 'invalid', { heading, text }) }
  }
  const opened = await openVisit(request, setup, env, token, body)
  if (!('visit' in opened)) return opened
  const { visit } = opened
  const view =
    (await showState(visit)) ??
    (await forbid(visit, undefined)) ??
    (await (body === undefined ? showPage(visit) : submit(visit, body)))
  const { signInOrigins } = actions.signIn
  const signOut = visit.agent && signOutPath(request, setup)
  return { view: { ...view, signInOrigins, signOut }, visit }
}

function unavailable(request: Request, problems?: readonly string[]): PageView {
  const { unavailableText: text } = request.actions.messages
  return createPage(request, 'failed', { status: 503, text, problems })
}

/** Writes the log line and the audit record of a request, and its response. */
async function finishPage(
  request: Request,
  { view, visit, link, response }: Result,
): Promise<Response> {
  const { app, c, traceId } = request
  const { outcome, state } = view
  const shown = visit?.link ?? link
  const status = response?.status ?? view.status
  if (state === undefined || view.error !== undefined) {
    logPage(request, view, shown?.name, status, visit?.agent)
  }
  if (shown !== undefined && state === undefined) {
    writeRecord(request, shown, visit?.agent, { outcome, status }, view.audit)
  }
  if (response !== undefined) return response
  const html = await renderPage(view, {
    messages: request.actions.messages,
    timeZone: request.actions.timeZone,
    appName: app.name,
    label: visit?.definition.label,
    agent: visit?.agent && nameAgent(visit.agent),
    traceId,
  })
  return c.newResponse(html, status as 200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': createPolicy(view.signInOrigins),
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

/** A form may be redirected only to itself and to the sign-in. */
function createPolicy(signInOrigins: readonly string[] = []): string {
  const styles = [WIDGET_STYLE, ACTION_STYLE].map(({ hash }) => `'sha256-${hash}'`).join(' ')
  const targets = ["'self'", ...signInOrigins].join(' ')
  return `default-src 'none'; style-src ${styles}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}
