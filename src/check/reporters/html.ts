import type { Payload } from '../../contract/generated/types.ts'
import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { escapeHtml } from '../../render/escape-html.ts'
import { htmlPage } from '../../render/html-page.ts'
import { WIDGET_STYLE } from '../../render/html-style.ts'
import { renderHtmlWidget } from '../../render/render-html.ts'
import type { Report, ReportSettings, RuleResult, RuleStatus } from '../report.ts'
import { GROUPS } from '../rules/index.ts'
import type { Timing } from '../timing.ts'
import { REPORT_STYLE } from './html-style.ts'
import { toVerdictText, formatCount, formatSummary, STATUSES } from './verdict-text.ts'

const STATUS_LABELS: Readonly<Record<RuleStatus, string>> = {
  fail: 'failed',
  warn: 'warning',
  known: 'known failure',
  pass: 'passed',
  skip: 'skipped',
}

/**
 * Formats a report as one self-contained HTML page that can be sent by email. It
 * contains no script and loads nothing, and all text from the endpoint is escaped.
 */
export function htmlReport(report: Report, settings: ReportSettings): string {
  const { headline, tone } = toVerdictText(report, settings)
  return htmlPage({
    title: escapeForDisplay(`Check of ${report.target}`, 4_000),
    styles: [WIDGET_STYLE, REPORT_STYLE],
    body: `<main>
<h1>Check report</h1>
<p class="verdict ${tone}">${text(headline)}</p>
<dl class="facts">
<dt>Endpoint</dt><dd><code>${text(report.target)}</code></dd>
<dt>Time</dt><dd><time>${text(report.startedAt)}</time>, ${report.durationMs} ms</dd>
<dt>Requests</dt><dd>${report.requests}</dd>
<dt>Rules</dt><dd>${text(formatSummary(report))}</dd>
</dl>
${report.stale.map((id) => `<p class="stale">${text(id)} passes now. Remove it from the baseline.</p>`).join('\n')}
<h2>Rules</h2>
${GROUPS.map((group) => groupSection(group, report)).join('\n')}
${sidebarSection(report)}
<h2>Latency</h2>
${timingSection('Handshakes', report.timings.handshake)}
${timingSection('Data fetches', report.timings.data)}
${requestSection(report)}
</main>`,
  })
}

function groupSection(group: string, report: Report): string {
  const results = report.results.filter((result) => result.group === group)
  if (results.length === 0) return ''
  const counts = STATUSES.flatMap((status) => {
    const count = results.filter((result) => result.status === status).length
    return count === 0 ? [] : [formatCount(status, count)]
  })
  const isOpen = results.some(({ findings }) => findings.length > 0)
  return `<details${isOpen ? ' open' : ''}>
<summary><h3>${text(group)}</h3> <span class="quiet">${counts.join(', ')}</span></summary>
<ul class="rules">
${results.map(ruleItem).join('\n')}
</ul>
</details>`
}

function ruleItem(result: RuleResult): string {
  const { status, rule, level, title, findings, reason, contract, explain } = result
  const found = findings.map(({ path, message, fix }) => {
    const where = path === undefined ? '' : `<code>${text(path)}</code> `
    return `<div class="finding"><p>${where}${text(message)}</p><p class="fix">Fix: ${text(fix)}</p></div>`
  })
  const more =
    findings.length > 0
      ? `<p class="quiet">The contract: ${text(contract)} <code>${text(explain)}</code></p>`
      : reason === undefined
        ? ''
        : `<p class="quiet">${text(reason)}</p>`
  return `<li class="${status}"><span class="status">${STATUS_LABELS[status]}</span> <code>${text(rule)}</code> <span class="quiet">${level}</span> ${text(title)}${found.join('')}${more}</li>`
}

function sidebarSection({ payload }: Report): string {
  if (payload === undefined) return ''
  return `<h2>Sidebar</h2>\n${renderHtmlWidget(payload as Payload)}`
}

function timingSection(name: string, timing: Timing): string {
  const { count, p50Ms, p95Ms, p99Ms, maxMs, histogram } = timing
  if (count === 0) return `<p class="quiet">${name}: no complete response.</p>`
  const bars = histogram.map(
    ({ upToMs, count: inBar }) =>
      `<tr><th scope="row">up to ${upToMs} ms</th><td><meter min="0" max="${count}" value="${inBar}">${inBar}</meter></td><td>${inBar}</td></tr>`,
  )
  return `<table class="timing">
<caption>${name}: p50 ${p50Ms} ms, p95 ${p95Ms} ms, p99 ${p99Ms} ms, max ${maxMs} ms of ${count}</caption>
<tbody>
${bars.join('\n')}
</tbody>
</table>`
}

function requestSection({ exchanges }: Report): string {
  if (exchanges === undefined) return ''
  const rows = exchanges.map(({ name, status, durationMs, failure, curl }) => {
    const result = failure === undefined ? String(status ?? '') : text(failure)
    return `<tr><td>${text(name)}</td><td>${result}</td><td>${durationMs} ms</td><td><code>${text(curl)}</code></td></tr>`
  })
  return `<h2>Requests</h2>
<p class="quiet">Secrets and the IDs of customers are shell variables.</p>
<table class="requests">
<thead><tr><th>request</th><th>status</th><th>time</th><th>cURL</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`
}

/**
 * Escapes untrusted text: markup, invisible characters, and characters that
 * change its direction.
 */
function text(value: string): string {
  return escapeHtml(escapeForDisplay(value, 4_000))
}
