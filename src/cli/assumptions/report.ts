import type { Palette } from '../../check/reporters/palette.ts'
import { wrap } from '../../check/reporters/wrap.ts'
import type { Assumption, Result } from './assumption.ts'
import { counted, formatEvidence, plural, say } from './evidence.ts'
import { ASSUMPTION_IDS, type AssumptionId } from './ids.ts'
import { ASSUMPTIONS } from './table.ts'
import type { Traffic } from './traffic.ts'

/** One assumption in a report. */
export interface AssumptionResult {
  readonly id: AssumptionId
  readonly claim: string
  readonly status: Result['status']
  /** Why it was not decided, if the status is `skipped`. */
  readonly reason?: string
  readonly evidence: readonly string[]
}

/** The result of `sidecard assumptions`: plain JSON without values of customers. */
export interface AssumptionsReport {
  readonly version: 1
  readonly format: Traffic['format']
  readonly requests: {
    readonly handshakes: number
    readonly dataFetches: number
    readonly otherRequests: number
    readonly apiCalls: number
    /** Handshakes and data fetches with a 401. They are not used. */
    readonly rejected: number
    /** Requests of Sidecard, and entries that are neither for the endpoint nor for the API. */
    readonly ignored: number
  }
  /** Facts about the requests that belong to no assumption. */
  readonly facts: readonly string[]
  readonly results: readonly AssumptionResult[]
  readonly summary: Readonly<Record<Result['status'], number>>
}

/** Decides every assumption, and redacts the evidence. */
export function createReport(traffic: Traffic): AssumptionsReport {
  const { format, redact } = traffic
  const results = ASSUMPTION_IDS.map((id): AssumptionResult => {
    const assumption: Assumption = ASSUMPTIONS[id]
    const { claim } = assumption
    const result = decide(assumption, traffic)
    const evidence = (result.evidence ?? []).map((each) => formatEvidence(each, redact))
    return result.status === 'skipped'
      ? { id, claim, status: 'skipped', reason: formatEvidence(result.reason, redact), evidence }
      : { id, claim, status: result.status, evidence }
  })
  const count = (status: Result['status']) =>
    results.filter((each) => each.status === status).length
  return {
    version: 1,
    format,
    requests: {
      handshakes: traffic.handshakes.length,
      dataFetches: traffic.fetches.length,
      otherRequests: traffic.others.length,
      apiCalls: traffic.calls.length,
      rejected: traffic.rejected,
      ignored: traffic.ignored,
    },
    facts: findFacts(traffic),
    results,
    summary: {
      holds: count('holds'),
      does_not_hold: count('does_not_hold'),
      skipped: count('skipped'),
    },
  }
}

function decide(assumption: Assumption, traffic: Traffic): Result {
  if ('undecidable' in assumption) {
    return { status: 'skipped', reason: { parts: [assumption.undecidable], values: [] } }
  }
  if (traffic.format === 'har') return assumption.decide(traffic)
  return {
    status: 'skipped',
    reason: say`a recording contains one request from Sidecard. Export the requests through a tunnel as HAR`,
  }
}

function findFacts({ fetches, handshakes, redact }: Traffic): readonly string[] {
  const requests = [...handshakes, ...fetches]
  if (requests.length === 0) return []
  const methods = [...new Set(requests.map(({ method }) => method))]
  const names = [...new Set(requests.flatMap(({ headerNames }) => headerNames))]
  const facts = [
    say`methods: ${methods}`,
    ...(names.length > 0 ? [say`request headers, in the order received: ${names}`] : []),
  ]
  return facts.map((each) => formatEvidence(each, redact))
}

const SYMBOLS = {
  holds: ['✓', 'green', 'holds'],
  does_not_hold: ['✗', 'red', 'does not hold'],
  skipped: ['–', 'dim', 'skipped'],
} as const

/** Formats a report for a terminal. */
export function formatReport(
  { requests, facts, results, summary }: AssumptionsReport,
  { palette, width }: { readonly palette: Palette; readonly width: number },
): string {
  const { handshakes, dataFetches, otherRequests, apiCalls, rejected, ignored } = requests
  const seen = [
    plural(counted(handshakes, 'handshake')),
    plural(counted(dataFetches, 'data fetch')),
    plural(counted(otherRequests, 'other request')),
    plural(counted(apiCalls, 'API call')),
  ].join(', ')
  const unused = `${plural(counted(rejected, 'request'))} with a 401 and ${plural(counted(ignored, 'other entry'))} not used`
  const indent = '        '
  const lines = results.flatMap(({ id, claim, status, reason, evidence }) => {
    const [symbol, color, text] = SYMBOLS[status]
    const head = `  ${palette[color](symbol)} ${palette.bold(id.padEnd(4))}`
    return [
      `${head}${wrap(claim, width, indent)}`,
      `${indent}${palette[color](text)}${reason === undefined ? '' : `: ${wrap(reason, width, indent, 17)}`}`,
      ...evidence.map((each) => `${indent}${palette.dim('·')} ${wrap(each, width, `${indent}  `)}`),
    ]
  })
  return `${[
    palette.bold(seen),
    palette.dim(unused),
    ...facts.map((fact) => wrap(fact, width, '  ')),
    '',
    ...lines,
    '',
    `${summary.holds} hold, ${summary.does_not_hold} do not hold, ${summary.skipped} skipped.`,
  ].join('\n')}\n`
}
