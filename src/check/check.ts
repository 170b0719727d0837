import { finding } from '../desk/rules/rule.ts'
import { printableUrl } from '../desk/target.ts'
import type { Target } from '../desk/target.ts'
import { gather } from './gather.ts'
import { settingsOf } from './options.ts'
import type { CheckOptions } from './options.ts'
import type { Evidence, Probe } from './probe.ts'
import { summaryOf } from './report.ts'
import type { Report, RuleResult, Timing } from './report.ts'
import { skipped } from './rules/rule.ts'
import type { CheckRule, Judgement } from './rules/rule.ts'
import { selectRules } from './selection.ts'

/**
 * Checks an endpoint against the contract: any endpoint, in any language, at an
 * address or in process. It sends GET requests only, follows no redirect, reads
 * at most a megabyte of each answer, and sends the custom headers nowhere else.
 * What is wrong with the endpoint is in the report and never thrown.
 *
 * @throws {SidecardError} `invalid_target`, `invalid_header`, `invalid_option` or `unknown_rule` when the call itself is wrong.
 * @see docs/checks/README.md
 */
export async function check(target: Target, options: CheckOptions = {}): Promise<Report> {
  const settings = settingsOf(options)
  const rules = selectRules(options.only, options.skip)
  const { now = preciseNow } = options
  const startedAt = now()
  let requests = 0
  const evidence = await gather(
    target,
    {
      ...options,
      now,
      onProgress: (progress) => {
        requests = progress.requests
        options.onProgress?.(progress)
      },
    },
    settings,
  )
  const unreachable = isUnreachable(evidence)
  const results = rules.map((rule) =>
    unreachable && rule.id !== 'reachable'
      ? result(rule, skipped('nothing answers at the address'), evidence)
      : result(rule, rule.judge(evidence), evidence),
  )
  return {
    version: 1,
    target: evidence.overNetwork ? printableUrl(evidence.url) : 'an endpoint in process',
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(now() - startedAt),
    requests,
    unreachable,
    results,
    summary: summaryOf(results),
    stale: [],
    timings: {
      handshake: timingOf(evidence.handshakes),
      data: timingOf([...evidence.samples, ...evidence.customers]),
    },
  }
}

/** Fractions of a millisecond tell which of two quick requests was over first. */
function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}

function result(rule: CheckRule, judgement: Judgement, { redact }: Evidence): RuleResult {
  const about = {
    rule: rule.id,
    group: rule.group,
    level: rule.level,
    title: rule.title,
    contract: rule.contract.says,
    docs: `docs/checks/${rule.id}.md`,
  }
  if ('skipped' in judgement) {
    return { ...about, status: 'skip', findings: [], reason: judgement.skipped }
  }
  const { faults } = judgement
  const fails = rule.level === 'MUST' || faults.some((each) => each.fails === true)
  return {
    ...about,
    status: faults.length === 0 ? 'pass' : fails ? 'fail' : 'warn',
    // Whatever a rule quotes, the values of the custom headers are hidden in it.
    findings: faults.map((each) => {
      const found = finding(rule, each)
      return { ...found, message: redact(found.message) }
    }),
  }
}

/** Nobody answered any of the requests. */
function isUnreachable({ handshakes, samples }: Evidence): boolean {
  return [...handshakes, ...samples].every(
    ({ exchange }) => exchange.failure?.kind === 'unreachable',
  )
}

function timingOf(probes: readonly Probe[]): Timing {
  const times = probes
    .filter(({ exchange }) => exchange.failure === undefined)
    .map(({ exchange }) => exchange.durationMs)
    .sort((left, right) => left - right)
  const at = (index: number) => Math.round(times[index] ?? 0)
  return {
    count: times.length,
    medianMs: at(Math.floor(times.length / 2)),
    slowestMs: at(times.length - 1),
  }
}
