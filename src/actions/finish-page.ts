import { OUTCOME_HEADER, TRACE_HEADER } from '../internal/headers.ts'
import { WIDGET_STYLE } from '../render/html-style.ts'
import { nameAgent } from './agent.ts'
import { ACTION_STYLE, renderPage } from './page-html.ts'
import type { PageView } from './page-view.ts'
import { logPage, writeRecord } from './record.ts'
import type { Request, Visit } from './visit.ts'

/** Writes the log line and the audit record of a request, and its response. */
export function finishPage(
  request: Request,
  view: PageView,
  visit: Visit | undefined,
  link: Visit['link'] | undefined,
  response: Response | undefined,
): Response {
  const { app, c, traceId } = request
  const { outcome } = view
  const shown = visit?.link ?? link
  const status = response?.status ?? view.status
  logPage(request, view, shown?.name, status, visit?.agent)
  if (shown !== undefined) {
    writeRecord(request, shown, visit?.agent, { outcome, status }, view.audit)
  }
  if (response !== undefined) return response
  const html = renderPage(view, {
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
    ...(status === 405 && { allow: 'GET, POST' }),
  })
}

/** A form may be redirected only to itself and to the sign-in. */
function createPolicy(signInOrigins: readonly string[] = []): string {
  const styles = [WIDGET_STYLE, ACTION_STYLE].map(({ hash }) => `'sha256-${hash}'`).join(' ')
  const targets = ["'self'", ...signInOrigins].join(' ')
  return `default-src 'none'; style-src ${styles}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}
