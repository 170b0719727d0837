import { expect, test } from 'vitest'
import { FAULT_PRESETS } from 'sidecard/emulator'
import type { FaultRule } from 'sidecard/emulator'
import { effectWords, isSameRule, targetWords } from '../../../src/emulator/ui/faults/rule-words.ts'

const inWords = (rule: FaultRule) => `${targetWords(rule)} ${effectWords(rule.effect)}`

test.each<[FaultRule, string]>([
  [{ side: 'apps', effect: { type: 'reset' } }, 'calls to apps closes the connection'],
  [
    {
      side: 'api',
      operation: 'listUsers',
      probability: 0.25,
      times: 1,
      effect: { type: 'status', status: 429, retryAfterSeconds: 5 },
    },
    'API: listUsers, 25 %, 1 time answers 429, Retry-After: 5',
  ],
  [
    { side: 'apps', times: 3, effect: { type: 'delay', delayMs: 100, jitterMs: 50 } },
    'calls to apps, 3 times answers 100 ms late and up to 50 ms more',
  ],
])('a rule is said in words', (rule, words) => {
  expect(inWords(rule)).toBe(words)
})

test('every rule of every preset can be said, and is the same as itself however it is written', () => {
  for (const { rules } of FAULT_PRESETS) {
    for (const rule of rules) {
      expect(inWords(rule)).not.toContain('undefined')
      const turned = Object.fromEntries(Object.entries(rule).toReversed()) as unknown as FaultRule
      expect(isSameRule(rule, { probability: 1, ...turned })).toBe(true)
    }
  }
})
