import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import { RULES } from '../../../src/tools/check/rules/index.ts'
import { BROKEN } from '../../fixtures/endpoints/broken.ts'
import { listenConcurrently } from '../../helpers/listen.ts'
import { checkAsCommand, serveInProcess, withFindings } from './helpers.ts'

/** Rules whose broken endpoint is more than a handler. Each has a separate test. */
const ELSEWHERE = [
  'reachable',
  'reachable-tls',
  'response-rate-limit',
  'data-outcome',
  'errors-survive',
  'auth-none',
  'auth-header-unread',
  'security-https',
  'latency-slow',
  'latency-budget',
]

/** Codes and IDs that are the same in every run, except for their number. */
function countedTokens() {
  let count = 0
  return () => `tok${String((count += 1)).padStart(9, '0')}`
}

/** It is random which of several concurrent requests is affected, and with which code. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/tok\d{9}/gi, 'token')
    .replaceAll(/\d+ of \d+/g, 'n of m')
    .replaceAll(/and \d+ more/g, 'and n more')
    .replaceAll(/(made-up customer|data fetch|handshake) \d/g, '$1 n')
}

const listen = listenConcurrently()

describe.concurrent('a broken endpoint violates its rule and no other', { timeout: 90_000 }, () => {
  it.for(BROKEN)('$rule: $description', async ({ rule, make, options }, { expect }) => {
    // Only the rules about responses are about HTTP.
    const serve = rule.startsWith('response-') ? listen : serveInProcess
    const report = await checkAsCommand(await serve(make()), {
      // Only these endpoints hang. The others may be slow on a busy machine.
      timeoutMs: rule === 'response-time' ? 2_000 : 10_000,
      randomToken: countedTokens(),
      ...options,
    })
    const broken = withFindings(report)
    expect(broken.map((each) => each.rule)).toEqual([rule])
    const [first] = broken.flatMap(({ findings }) => findings)
    const text = JSON.stringify([first?.path ?? null, first?.message, first?.fix], null, 1)
    expect(withoutChance(text)).toMatchSnapshot()
    const info = RULES.find(({ id }) => id === rule)
    // The contract allows a failing data source, so that verdict is "not proven".
    const isMust = info?.level === 'MUST' && rule !== 'data-failure'
    const fails = isMust || rule.startsWith('auth-')
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(fails ? 1 : 0)
    expect(exitCodeOf(report, { strict: true, allowUnproven: true })).toBe(
      info?.isAdvice === true ? 0 : 1,
    )
  })

  it('exists for every rule', () => {
    const covered = new Set([...BROKEN.map(({ rule }) => rule), ...ELSEWHERE])
    expect(RULES.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([])
  })
})
