import { expect, test } from 'vitest'
import { FAULT_PRESETS } from '../../src/emulator/faults/presets.ts'
import type { FaultRule } from 'sidecard/emulator'
import { formatEffect, isSameRule, formatTarget } from '../../src/workspace/faults/format-rule.ts'

const describeRule = (rule: FaultRule) => `${formatTarget(rule)} ${formatEffect(rule.effect)}`

test.each<[FaultRule, string]>([
  [{ side: 'apps', effect: { type: 'reset' } }, 'Calls to apps closes the connection'],
  [
    {
      side: 'api',
      operation: 'listUsers',
      probability: 0.25,
      times: 1,
      effect: { type: 'status', status: 429, retryAfterSeconds: 5 },
    },
    'API: listUsers, 25 %, 1 time returns 429, Retry-After: 5',
  ],
  [
    { side: 'apps', times: 3, effect: { type: 'delay', delayMs: 100, jitterMs: 50 } },
    'Calls to apps, 3 times delays responses by 100 to 150 ms',
  ],
])('describes a rule in words', (rule, words) => {
  expect(describeRule(rule)).toBe(words)
})

test('describes every preset rule, and recognizes it in any key order', () => {
  for (const { rules } of FAULT_PRESETS) {
    for (const rule of rules) {
      expect(describeRule(rule)).not.toContain('undefined')
      const turned = Object.fromEntries(Object.entries(rule).toReversed()) as unknown as FaultRule
      expect(isSameRule(rule, { probability: 1, ...turned })).toBe(true)
    }
  }
})
