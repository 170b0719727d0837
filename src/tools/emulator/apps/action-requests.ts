import { isRecord, oneOf } from '../../../runtime/internal/read-options.ts'
import { tryJson } from '../../../runtime/internal/try-json.ts'
import type { EmulatorContext } from '../core/context.ts'
import type { ExchangeSummary } from '../protocol/exchanges.ts'
import { NO_PURPOSE } from './app-calls.ts'

type ActionOutcome = Exclude<ExchangeSummary['outcome'], 'connected'>

const OUTCOMES = oneOf<ActionOutcome>(
  ...(['shown', 'done', 'already_done', 'in_progress', 'invalid', 'refused'] as const),
  ...(['expired', 'forbidden', 'not_found', 'failed', 'unknown'] as const),
)

/**
 * Logs a request to the page of an action, which the browser sends past the
 * emulator, and which a line of the dev server's output reports.
 */
export function logActionRequest(
  { log, store, newId }: EmulatorContext,
  line: string,
  at: string,
): void {
  if (!line.includes('"action"')) return
  const fields = tryJson(line.slice(Math.max(0, line.indexOf('{'))))
  if (!isRecord(fields) || fields['requestType'] !== 'action') return
  const { outcome, method, status, durationMs, traceId, app: name } = fields
  if (!OUTCOMES.accepts(outcome) || (method !== 'GET' && method !== 'POST')) return
  const apps = store.all('app')
  const app = apps.find((each) => each.name === name) ?? apps[0]
  log.add({
    ...NOT_SEEN,
    id: newId('exc'),
    at,
    appId: app?.id ?? '',
    appName: app?.name ?? String(name),
    outcome: outcome as ActionOutcome,
    status: typeof status === 'number' ? status : null,
    durationMs: typeof durationMs === 'number' ? durationMs : 0,
    traceId: typeof traceId === 'string' ? traceId.slice(0, 64) : null,
    action: {
      name: readText(fields['action']) ?? '',
      method,
      agent: readText(fields['agent']),
    },
    request: { method, url: '', parameters: [], headerNames: [] },
  })
}

const NOT_SEEN = {
  ...NO_PURPOSE,
  kind: 'action',
  unapplied: null,
  parameters: [],
  bytes: null,
  failures: [],
  timing: [],
  injected: null,
  findings: [],
  response: null,
  message: '',
  fix: '',
  explanation: null,
} as const

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 320) : null
}
