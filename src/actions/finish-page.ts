import { describeError } from '../app/log-error.ts'
import { logRequest } from '../app/request-log.ts'
import type { ActionRecord } from '../app/instrument.ts'
import { OUTCOME_HEADER, TRACE_HEADER } from '../internal/headers.ts'
import type { LogLevel } from '../internal/logger.ts'
import { runWithin } from '../internal/user-code.ts'
import { nameAgent } from './agent.ts'
import { ACTION_STYLE, renderPage } from './page-html.ts'
import type { PageOutcome, PageView } from './page-view.ts'
import { ActionRequest, type Request, type Visit } from './visit.ts'
import { WIDGET_STYLE } from '../render/html-style.ts'

const LEVELS: Readonly<Record<PageOutcome, LogLevel>> = {
  shown: 'info',
  done: 'info',
  already_done: 'info',
  in_progress: 'info',
  not_found: 'info',
  invalid: 'warn',
  expired: 'warn',
  refused: 'warn',
  forbidden: 'warn',
  failed: 'error',
  unknown: 'error',
}

/** Writes the log line and the audit record of a request, and its response. */
export function finishPage(
  request: Request,
  view: PageView,
  visit: Visit | undefined,
  link: Visit['link'] | undefined,
  response: Response | undefined,
): Response {
  const { app, c, traceId, startedAtMs } = request
  const { outcome, error, problems } = view
  const shown = visit?.link ?? link
  const status = response?.status ?? view.status
  const fields = {
    requestType: 'action',
    action: shown?.name,
    status,
    outcome,
    traceId,
    problems,
    ...(error !== undefined && { error: describeError(error, app.logErrors) }),
  }
  logRequest(app, error === undefined ? LEVELS[outcome] : 'error', fields, startedAtMs)
  if (shown !== undefined) record(request, shown, visit, { outcome, status })
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

/** Passes the record to the instruments. Their errors are logged. */
function record(
  request: Request,
  { name, ids }: Visit['link'],
  visit: Visit | undefined,
  result: { outcome: PageOutcome; status: number },
): void {
  const { app, c, traceId, deadline, startedAtMs } = request
  const ctx = visit?.ctx ?? new ActionRequest(request, ids, c.env, deadline, undefined)
  const full: ActionRecord = {
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    traceId,
    action: name,
    agent: visit?.agent,
    params: ids,
    status: result.status,
    outcome: result.outcome,
  }
  for (const instrument of app.instruments) {
    ctx.waitUntil(runWithin(RECORD_MS, () => instrument.onAction?.(full, ctx)))
  }
}

/** How long an instrument may take. */
const RECORD_MS = 30_000
