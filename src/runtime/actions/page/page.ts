import type { Context } from 'hono'
import { OUTCOME_HEADER, PAGE_STATE_APPLIED_HEADER, TRACE_HEADER } from '../../internal/headers.ts'
import { WIDGET_STYLE } from '../../render/html-style.ts'
import { nameAgent } from '../sign-in/agent.ts'
import { explainOrigin, isSameOrigin, readFormBody } from './form-body.ts'
import { UNAVAILABLE } from '../links/make-links.ts'
import { type Opened, openVisit } from './open-visit.ts'
import { renderPage } from './page-html.ts'
import { showState } from './page-state.ts'
import { ACTION_STYLE } from './page-style.ts'
import type { PageView } from './page-view.ts'
import { forbid } from '../run/permission.ts'
import { logPage, writeRecord } from '../run/record.ts'
import { showPage } from './show-page.ts'
import { handleSignIn, signOutPath } from './sign-in.ts'
import { submit } from './submit.ts'
import { createRequest, type PageApp, type Request } from '../run/visit.ts'

/** Responds to a request to the page of the actions. */
export async function handlePage(c: Context, page: PageApp): Promise<Response> {
  const request = createRequest(c, page)
  try {
    return await finishPage(request, await respondTo(request))
  } finally {
    request.deadline.clear()
  }
}

async function respondTo(request: Request): Promise<Opened & { readonly view: PageView }> {
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
  const { env } = bindings
  const { setup, problems } = await reader.read(c, env, request.test)
  if (setup === undefined) return unavailable(problems)

  let body: URLSearchParams | undefined
  if (method === 'POST') {
    if (!isSameOrigin(c, setup.pageUrl)) {
      return { view: request.page('forbidden', explainOrigin(c, messages)) }
    }
    const read = await readFormBody(c, deadline)
    if (typeof read === 'string') {
      const { unreadable: heading, unreadableText: text } = messages
      return { view: request.page('invalid', { heading, text, problems: [read] }) }
    }
    body = read
  }
  const ownResult = await handleSignIn(request, setup, env)
  if (ownResult !== undefined) return ownResult
  const query = body ?? new URL(c.req.url).searchParams
  const [token = '', ...others] = query.getAll('t')
  if (others.length > 0) return { view: request.page('invalid') }
  if (token === '' && body === undefined) {
    if (query.has(UNAVAILABLE)) return unavailable()
    const { noLink: heading, noLinkText: text } = messages
    return { view: request.page('invalid', { heading, text }) }
  }
  const { visit, ...opened } = await openVisit(request, setup, env, token, body)
  if (visit === undefined) return { view: request.page('invalid'), ...opened }
  const view =
    (await showState(visit)) ??
    (await forbid(visit, undefined)) ??
    (await (body === undefined ? showPage(visit) : submit(visit, body)))
  return { view, visit, link: visit.link }
}

/** Writes the log line and the audit record of a request, and its response. */
async function finishPage(
  request: Request,
  { view, visit, link, response }: Opened & { readonly view: PageView },
): Promise<Response> {
  const { app, c, traceId, actions } = request
  const { outcome, state, error, audit } = view
  const agent = visit?.agent
  const status = response?.status ?? view.status
  if (state === undefined || error !== undefined) logPage(request, view, link?.name, status, agent)
  if (link !== undefined && state === undefined) {
    writeRecord(request, link, agent, { outcome, status }, audit)
  }
  if (response !== undefined) return response
  const html = await renderPage(view, {
    messages: actions.messages,
    timeZone: actions.timeZone,
    appName: app.name,
    label: visit?.definition.label,
    agent: agent && nameAgent(agent),
    signOut: agent && signOutPath(visit),
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
