import { describe, expect, test } from 'vitest'
import type { ReceiptState } from 'sidecard/actions'
import {
  change,
  phaseOf,
  STUCK_MS,
  timesOf,
  unknownAt,
} from '../../../src/runtime/actions/receipts/states.ts'
import { createReceipt } from '../../helpers/receipts.ts'

const START_MS = 1_800_000_000_000
const times = timesOf(START_MS, 15_000, 60_000)
const keepUntilSeconds = START_MS / 1_000 + 86_400
const receipt = createReceipt({ startedAtMs: START_MS, ...times, keepUntilSeconds })

test('a run is due five seconds after its timeout, and settles lateMs after that', () => {
  expect(times).toEqual({ dueAtMs: START_MS + 20_000, settlesAtMs: START_MS + 80_000 })
})

test.each([
  ['running', 19_999, false, 'running'],
  ['running', 20_000, false, 'open'],
  ['running', 79_999, false, 'open'],
  ['running', 80_000, false, 'over'],
  ['unknown', 0, false, 'open'],
  ['unknown', 79_999, false, 'open'],
  ['unknown', 80_000, false, 'over'],
  ['unknown', 80_000, true, 'open'],
  ['running', 80_000, true, 'open'],
  ['refused', 0, false, 'refused'],
  ['not_done', 0, false, 'not_done'],
  ['done', 86_399_999, false, 'done'],
  ['done', 86_400_000, false, 'none'],
  ['unknown', 86_400_000, false, 'over'],
] as const)(
  'a receipt that is %s after %i ms, pending here: %s, is %s',
  (state, ms, here, phase) => {
    expect(phaseOf({ ...receipt, state }, START_MS + ms, here)).toBe(phase)
  },
)

test('a run that has been pending for 15 minutes is stuck until it ends or stops to give signs', () => {
  const nowMs = START_MS + STUCK_MS
  const stuck = change(receipt, unknownAt(nowMs, 60_000, STUCK_MS))!
  expect(phaseOf(stuck, nowMs, true)).toBe('stuck')
  expect(phaseOf(stuck, nowMs, false)).toBe('stuck')
  expect(phaseOf(stuck, stuck.settlesAtMs, true)).toBe('stuck')
  expect(phaseOf(stuck, stuck.settlesAtMs, false)).toBe('over')
  const ended = change(stuck, unknownAt(nowMs + 1, 60_000))!
  expect(phaseOf(ended, nowMs + 1, false)).toBe('open')
  expect(change(receipt, unknownAt(nowMs, 60_000, STUCK_MS - 1))!.isStuck).toBeUndefined()
})

describe('a change', () => {
  const agent = { id: 'agent-8', groups: [] }
  const changeTo = (from: ReceiptState, to: ReceiptState, setBy?: typeof agent) =>
    change({ ...receipt, state: from }, { state: to, changedAtMs: 7, setBy })

  test.each([
    ['running', ['unknown', 'refused', 'done']],
    ['unknown', ['unknown', 'refused', 'done']],
    ['not_done', ['refused', 'done']],
    ['refused', ['done']],
    ['done', []],
  ] as const)('that `run` reports replaces %s with %s', (from, reached) => {
    const stated = from === 'not_done' ? { setBy: agent } : {}
    const reports = ['unknown', 'refused', 'done'] as const
    const found = reports.filter((to) =>
      change({ ...receipt, ...stated, state: from }, { state: to, changedAtMs: 7 }),
    )
    expect(found).toEqual(reached)
  })

  test.each([
    ['running', 'not_done, done'],
    ['unknown', 'not_done, done'],
    ['refused', 'done'],
    ['done', ''],
  ] as const)('that an agent states replaces %s with %s', (from, reached) => {
    const found = (['not_done', 'done'] as const).filter((to) => changeTo(from, to, agent))
    expect(found.join(', ')).toBe(reached)
  })

  test('keeps the result of a run that an agent has already called done', () => {
    const stated = changeTo('unknown', 'done', agent)!
    const done = change(stated, { state: 'done', changedAtMs: 9, encrypted: 'result' })
    expect(done).toMatchObject({ setBy: undefined, encrypted: 'result', revision: 2 })
    expect(change(done!, { state: 'done', changedAtMs: 10 })).toBeUndefined()
  })

  test('brings nothing personal back after erase()', () => {
    const erased = { ...receipt, encrypted: '' }
    const done = change(erased, { state: 'done', changedAtMs: 7, encrypted: 'result' })
    expect(done!.encrypted).toBe('')
  })
})
