import { describe, expect, test } from 'vitest'
import type { Receipt } from 'sidecard/actions'
import type { ReceiptChange } from '../../../../src/runtime/actions/receipts/states.ts'
import { playHistory, type Rules, RULES } from './world.ts'

const { PHASES } = RULES
const BOTH = ['done', 'not_done'] as const

/** Replaces the rules of one phase. */
function withPhase(phase: keyof typeof PHASES, changes: Partial<(typeof PHASES)[typeof phase]>) {
  return { PHASES: { ...PHASES, [phase]: { ...PHASES[phase], ...changes } } }
}

/** Lets a state replace `done`. */
function replacingDone(state: Receipt['state']) {
  const change = (stored: Receipt, to: ReceiptChange) =>
    stored.state === 'done' && to.state === state
      ? { ...stored, ...to, settlesAtMs: stored.settlesAtMs }
      : RULES.change(stored, to)
  return { change }
}

/** Each of these mistakes breaks a rule. */
const BROKEN: Record<string, Partial<Rules>> = {
  'an outcome is over when `run` has ended, or after twice its timeout': {
    phaseOf(receipt, nowMs, isPending) {
      const phase = RULES.phaseOf(receipt, nowMs, isPending)
      if (receipt === undefined) return phase
      const isLate = nowMs > receipt.startedAtMs + 30_000
      return phase === 'open' && (receipt.state === 'unknown' || isLate) ? 'over' : phase
    },
  },
  'an agent may state "not done" while the outcome is open': withPhase('open', {
    agentMaySet: BOTH,
  }),
  '`lookUp` is believed while the outcome is open': withPhase('open', { lookUpMaySet: BOTH }),
  'there is a form while an action runs': withPhase('running', { mayBegin: true }),
  'the clocks of processes decide which receipt is the last one': {
    last: (receipts) => receipts.toSorted((a, b) => a.startedAtMs - b.startedAtMs).at(-1),
  },
  'the store accepts a number twice': { acceptsTakenNumbers: true },
  'the number is read at the POST': { readsNumberAtPost: true },
  '"unknown" replaces "done"': replacingDone('unknown'),
  'a pending run gives no signs of life': { givesSigns: false },
  'the end of a run shortens the time in which it can have an effect': {
    change: (stored, to) => {
      const next = RULES.change(stored, to)
      return next && { ...next, settlesAtMs: to.settlesAtMs ?? next.settlesAtMs }
    },
  },
  'an ActionError replaces "done"': replacingDone('refused'),
  'an agent may state an outcome while `run` is pending': {
    ...withPhase('running', { agentMaySet: BOTH }),
  },
}

const HISTORIES = 4_000

test(`the table of states breaks no rule in ${HISTORIES} histories`, () => {
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    expect([seed, ...playHistory(seed, RULES)]).toEqual([seed])
  }
})

describe('a rule is broken if', () => {
  test.each(Object.entries(BROKEN))('%s', (_, changes) => {
    const rules = { ...RULES, ...changes }
    let seed = 1
    while (seed <= HISTORIES && playHistory(seed, rules).length === 0) seed += 1
    expect(seed).toBeLessThanOrEqual(HISTORIES)
  })
})
