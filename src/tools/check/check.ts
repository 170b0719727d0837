import { assertNodeVersion } from '../internal/assert-node-version.ts'
import { createRedactor, type Redact } from '../../runtime/internal/create-redactor.ts'
import { redactValue } from '../internal/redact-value.ts'
import { secretParts } from '../service/endpoint/credentials.ts'
import { redactUrl, type Target } from '../service/endpoint/target.ts'
import { toFinding } from '../service/response-rule.ts'
import { ID_KINDS } from './customers.ts'
import { collectEvidence } from './probes/collect-evidence.ts'
import { type CheckOptions, resolveSettings } from './options.ts'
import { isUnreachable, type Evidence } from './probes/evidence.ts'
import { createRequestRecords, findSidebarPayload } from './report/report-details.ts'
import { countByStatus, type Report, type RuleResult } from './report/report.ts'
import { sawOnlyCards } from './rules/data.ts'
import { collectFailures } from './rules/failures.ts'
import { RULES } from './rules/index.ts'
import { type CheckRule, MEND_FIRST, type RuleOutcome, skipped } from './rules/rule.ts'
import { selectRules } from './selection.ts'
import { selectRoles } from './responses/roles.ts'
import { SIMILAR_ROLES } from './responses/truths.ts'
import { summarizeTimes } from './probes/timing.ts'
import { decideVerdict } from './report/verdict.ts'

/**
 * Checks an endpoint against the contract: in any language, at a URL or in
 * process. It sends GET requests only, follows no redirects, reads at most 1 MiB
 * of each response, and sends the custom headers only to the endpoint. Problems of
 * the endpoint are reported, not thrown: read `report.verdict`.
 *
 * @example
 * const { verdict, results } = await check('http://localhost:8787', { headers })
 * for (const { title, findings } of results) console.log(title, findings.length)
 *
 * @throws {SidecardError} `invalid_target`, `invalid_header`, `invalid_options` or
 * `unknown_rule` if the call itself is wrong, and `unsupported_node` before Node
 * 22.13.
 * @see docs/checks/README.md
 */
export async function check(target: Target, options: CheckOptions = {}): Promise<Report> {
  assertNodeVersion('sidecard/check')
  const settings = resolveSettings(options)
  const { now, details } = settings
  const rules = selectRules(settings.only, settings.skip)
  const startedAt = now()
  const evidence = await collectEvidence(target, settings)
  const unreachable = isUnreachable(evidence.of('handshake', 'sample'))
  const { redact, redactSecrets } = createRedactors(evidence)
  const results = rules.map((rule) =>
    unreachable && rule.id !== 'reachable'
      ? toResult(rule, skipped('the endpoint is unreachable'), redact)
      : toResult(rule, rule.evaluate(evidence), redact),
  )
  const facts = {
    unreachable,
    onlyCards: sawOnlyCards(evidence),
    rateLimited: evidence.rateLimited.length > 0,
    blocked: evidence.isBlocked,
  }
  const payload = details ? findSidebarPayload(evidence) : undefined
  return {
    version: 2,
    ...decideVerdict({ results, stale: [] }, facts),
    target: evidence.overNetwork ? redactUrl(evidence.url) : 'an in-process endpoint',
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(now() - startedAt),
    requests: evidence.requests,
    ...facts,
    partial: rules.length < RULES.length,
    results,
    summary: countByStatus(results),
    failures: redactValue(collectFailures(evidence), redact),
    stale: [],
    timings: summarizeTimes(evidence),
    ...(details && { exchanges: redactValue(createRequestRecords(evidence), redact) }),
    ...(payload !== undefined && { payload: redactValue(payload, redactSecrets) }),
  }
}

function toResult(rule: CheckRule, outcome: RuleOutcome, redact: Redact): RuleResult {
  const info = {
    rule: rule.id,
    group: rule.group,
    level: rule.level,
    title: rule.title,
    isAdvice: rule.isAdvice === true,
    contract: rule.contract.statement,
    explain: `npx sidecard check --explain ${rule.id}`,
  }
  if ('reason' in outcome) {
    const isHarmful = rule.isHarmful ?? rule.contract.basis === 'harm'
    const { status, reason, proof = status === 'skip' && isHarmful && MEND_FIRST } = outcome
    return { ...info, status, findings: [], reason, ...(proof !== false && { proof }) }
  }
  const { violations, proof } = outcome
  const fails = violations.some((each) => each.fails ?? rule.failsRun ?? rule.level === 'MUST')
  return {
    ...info,
    status: violations.length === 0 ? 'pass' : fails ? 'fail' : 'warn',
    // A finding may quote a response, which may contain a secret.
    findings: violations.map((each) => toFinding(rule, redactValue(each, redact))),
    ...(proof !== undefined && violations.length > 0 && { proof }),
  }
}

/**
 * Creates the redactors. The payload contains its customer's IDs, so only secrets
 * are removed from it.
 */
function createRedactors({ settings, credentials, all, rateLimited }: Evidence) {
  const secrets = credentials.flatMap((name) => secretParts(name, settings.headers[name] ?? ''))
  const given = settings.customers.flatMap(({ ids }) => ID_KINDS.map(([name]) => ids[name]))
  // An ID that resembles a passed one reveals it.
  const similar = selectRoles([...all, ...rateLimited], SIMILAR_ROLES).flatMap(
    ({ customer: { passed, ids } }) => ID_KINDS.map(([name]) => passed[name] && ids[name]),
  )
  const texts = settings.customers.flatMap(({ shows }) => shows)
  // An ID that is a word of the report would make it unreadable.
  const words = new Set(all.flatMap(({ name }) => name.toLowerCase().split(/\W+/)))
  const values = [...given, ...similar, ...texts].flatMap((value) =>
    value === undefined || words.has(value.toLowerCase()) ? [] : [value],
  )
  return {
    redact: createRedactor(secrets, new Set(values)),
    redactSecrets: createRedactor(secrets),
  }
}
