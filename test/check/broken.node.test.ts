import { describe, expect, it } from 'vitest'
import { check, exitCodeOf, RULES } from 'sidecard/check'
import { BROKEN } from '../fixtures/endpoints/broken.ts'
import { HEADERS } from '../fixtures/endpoints/reference.ts'
import { listen } from '../helpers/listen.ts'
import { createTransport } from '../../src/cli/transport/transport.ts'

/** As the command does it. */
const { fetch } = createTransport({ publicOnly: false })

/** Rules whose broken endpoint needs more than a handler; each has a test of its own. */
const ELSEWHERE = [
  'reachable',
  'reachable-tls',
  'errors-survive',
  'auth-none',
  'security-https',
  'latency-slow',
]

describe('a broken endpoint breaks its rule and no other', () => {
  it.for(BROKEN)('$rule: $how', { timeout: 20_000 }, async ({ rule, make }) => {
    const url = await listen(make())
    const report = await check(url, { headers: HEADERS, timeoutMs: 700, fetch })
    const broken = report.results.filter(({ status }) => status === 'fail' || status === 'warn')
    expect(broken.map((each) => [each.rule, each.findings[0]?.message])).toEqual([
      [rule, expect.any(String)],
    ])
    const must = RULES.find(({ id }) => id === rule)?.level === 'MUST'
    expect(exitCodeOf(report)).toBe(must || rule.startsWith('auth-') ? 1 : 0)
    expect(exitCodeOf(report, { strict: true })).toBe(1)
  })

  it('exists for every rule', () => {
    const covered = new Set([...BROKEN.map(({ rule }) => rule), ...ELSEWHERE])
    expect(RULES.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([])
  })
})
