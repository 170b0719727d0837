import type { Receipt } from 'sidecard/actions'
import * as states from '../../../../src/runtime/actions/receipts/states.ts'
import { createReceipt } from '../../../helpers/receipts.ts'

/** The table of the code, and the rules of the stores and pages that use it. */
export const RULES = {
  ...states,
  /** Whether a store accepts a number that is taken. */
  acceptsTakenNumbers: false,
  /** Whether a form counts for the receipts at its POST instead of those that it showed. */
  readsNumberAtPost: false,
  givesSigns: true,
  last: (receipts: readonly Receipt[]): Receipt | undefined => receipts.at(-1),
}
export type Rules = typeof RULES

const TIMEOUT_MS = 15_000
const LATE_MS = 20_000
/** The times between two things that agents do. */
const PAUSES_MS = [0, 300, 1_000, 4_000, 12_000, 30_000]
const STEPS = 40

/** A page that an agent looks at. */
interface Page {
  readonly process: Process
  readonly number: number
  readonly lastDone: number
  readonly hasForm: boolean
  readonly subject: Receipt | undefined
}

interface Process {
  isAlive: boolean
  readonly skewMs: number
  readonly pending: Set<string>
}

/** An effect of a run, on the other system. */
interface Effect {
  readonly number: number
  /** The last receipt that its agent saw as done. */
  readonly seenDone: number
}

/** Returns random numbers that a seed determines. */
function createRandom(seed: number) {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Plays one history of two agents and two processes. Returns the broken rules. */
export function playHistory(seed: number, rules: Rules): readonly string[] {
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const chance = (share: number) => random() < share
  const problems = new Set<string>()
  let nowMs = 1_000_000
  const queue: { atMs: number; run(): void }[] = []
  const after = (ms: number, run: () => void) => queue.push({ atMs: nowMs + ms, run })

  // What this history has. A run that ignores its signal is only safe without either of the others.
  const hasKeys = chance(0.5)
  const ignoresSignal = chance(0.5)
  const hasCrashes = chance(0.5)
  const hasOutages = !(ignoresSignal && hasCrashes) && chance(0.5)

  const receipts: Receipt[] = []
  let isDown = false
  const createProcess = (): Process => ({
    isAlive: true,
    skewMs: Math.floor(random() * 4_800) - 2_400,
    pending: new Set(),
  })
  const processes = [createProcess(), createProcess()]
  const clock = ({ skewMs }: Process) => nowMs + skewMs
  const phaseOf = (process: Process, receipt: Receipt | undefined) =>
    rules.phaseOf(receipt, clock(process), process.pending.has(receipt?.attemptId ?? ''))

  /** Effects that have happened, and the outcomes that a process knew. */
  const effects: Effect[] = []
  const happened = new Set<string>()
  const usedKeys = new Set<string>()
  const known = new Map<string, 'done' | 'refused'>()

  /** Changes a stored receipt as processes do: from what is stored. */
  function settle(attemptId: string, to: states.ReceiptChange): void {
    const index = receipts.findIndex((one) => one.attemptId === attemptId)
    const stored = receipts[index]!
    const next = rules.change(stored, to)
    if (next === undefined) return
    const closed = ['refused', 'not_done', 'done']
    if (closed.includes(stored.state) && !closed.includes(next.state)) problems.add('reopened')
    if (stored.state === 'done' && next.state !== 'done') problems.add('done was replaced')
    if (next.settlesAtMs < stored.settlesAtMs) problems.add('settles shrank')
    receipts[index] = next
  }

  function write(
    process: Process,
    attemptId: string,
    to: states.ReceiptChange,
    waitMs = 100,
  ): void {
    if (!process.isAlive) return
    if (!isDown) settle(attemptId, to)
    else after(waitMs, () => write(process, attemptId, to, Math.min(2 * waitMs, 10_000)))
  }

  function giveSign(process: Process, receipt: Receipt): void {
    if (!process.isAlive || !process.pending.has(receipt.attemptId) || !rules.givesSigns) return
    const pendingMs = clock(process) - receipt.startedAtMs
    if (!isDown) settle(receipt.attemptId, rules.unknownAt(clock(process), LATE_MS, pendingMs))
    after(isDown ? 1_000 : rules.SIGN_MS, () => giveSign(process, receipt))
  }

  function happen({ attemptId, idempotencyKey, number }: Receipt, seenDone: number): void {
    if (happened.has(attemptId)) return
    happened.add(attemptId)
    if (hasKeys && usedKeys.has(idempotencyKey)) return
    usedKeys.add(idempotencyKey)
    for (const one of effects) {
      const [first, second] = one.number < number ? [one, { number, seenDone }] : [{ number }, one]
      if (second.seenDone < first.number) problems.add('two effects, the first one unseen')
    }
    effects.push({ number, seenDone })
  }

  /** Starts a run that returns, throws an ActionError, or throws something else. */
  function start(process: Process, receipt: Receipt, seenDone: number): void {
    const { attemptId } = receipt
    const end = pick(['done', 'refused', 'unknown'] as const)
    const lastsMs = random() * pick([500, TIMEOUT_MS, ignoresSignal ? 80_000 : TIMEOUT_MS])
    // The request of a run that fails may still arrive, or never.
    const effectMs = end === 'done' ? random() * lastsMs : random() * (lastsMs + LATE_MS)
    const hasEffect = end === 'done' || (end === 'unknown' && chance(0.6))
    process.pending.add(attemptId)
    let crashedAtMs = Infinity
    const startMs = nowMs
    crashes.push([process, () => (crashedAtMs = Math.min(crashedAtMs, nowMs))])
    if (hasEffect) {
      after(effectMs, () => {
        // After a crash, only a request that was already sent has an effect.
        const sentAtMs = startMs + Math.min(lastsMs, effectMs / 2)
        if (sentAtMs <= crashedAtMs && nowMs <= crashedAtMs + LATE_MS) happen(receipt, seenDone)
      })
    }
    if (lastsMs > TIMEOUT_MS) after(TIMEOUT_MS, () => giveSign(process, receipt))
    after(lastsMs, () => {
      if (!process.isAlive || crashedAtMs < Infinity) return
      process.pending.delete(attemptId)
      if (end !== 'unknown') known.set(attemptId, end)
      const changedAtMs = clock(process)
      // A run that tries again may learn that the other system rejects what is already done.
      const isKnown = receipts.some((one) => one.attemptId === attemptId && one.state === 'done')
      const state = isKnown && chance(0.5) ? 'refused' : end
      const change =
        state === 'unknown' ? rules.unknownAt(changedAtMs, LATE_MS) : { state, changedAtMs }
      write(process, attemptId, change)
    })
  }
  const crashes: [Process, () => void][] = []

  function crash(process: Process): void {
    process.isAlive = false
    process.pending.clear()
    for (const [of, note] of crashes) if (of === process) note()
    // Outcomes that were not written died with the process.
    for (const { attemptId, state } of receipts) {
      if (known.get(attemptId) !== state) known.delete(attemptId)
    }
    processes[processes.indexOf(process)] = createProcess()
  }

  function open(process: Process): Page | undefined {
    if (isDown || !process.isAlive) return undefined
    let last = rules.last(receipts)
    const maySet = rules.PHASES[phaseOf(process, last)].lookUpMaySet
    let isFoundNotDone = false
    if (last !== undefined && maySet.length > 0 && chance(0.5)) {
      if (happened.has(last.attemptId)) {
        settle(last.attemptId, { state: 'done', changedAtMs: nowMs, setBy: true })
        last = rules.last(receipts)
      } else isFoundNotDone = maySet.includes('not_done')
    }
    const { mayBegin } = rules.PHASES[phaseOf(process, last)]
    const lastDone = receipts.findLast(({ state }) => state === 'done')?.number ?? 0
    const number = receipts.at(-1)?.number ?? 0
    return { process, number, lastDone, hasForm: mayBegin || isFoundNotDone, subject: last }
  }

  /** Confirms a form: reads the receipts, and begins a little later. */
  function confirm(page: Page): void {
    const { process } = page
    if (isDown || !process.isAlive) return
    const last = rules.last(receipts)
    const phase = phaseOf(process, last)
    const number = receipts.at(-1)?.number ?? 0
    const lastDone = receipts.findLast(({ state }) => state === 'done')?.number ?? 0
    const isCurrent = number === page.number && lastDone === page.lastDone
    if (!isCurrent && !rules.readsNumberAtPost) return
    if (!rules.PHASES[phase].mayBegin) {
      const mayClose = rules.PHASES[phase].lookUpMaySet.includes('not_done')
      if (!mayClose || !page.hasForm || last === undefined) return
      settle(last.attemptId, { state: 'not_done', changedAtMs: nowMs, setBy: true })
    }
    const closed = rules.last(receipts)
    const attemptId = `attempt-${seed}-${Math.floor(random() * 1e9)}`
    const { keepsKey } = rules.PHASES[phaseOf(process, closed)]
    const keySeed = keepsKey ? closed!.keySeed : attemptId
    after(random() * 1_500, () => {
      if (isDown || !process.isAlive) return
      const isFree = (receipts.at(-1)?.number ?? 0) === number
      if (!isFree && !rules.acceptsTakenNumbers) return
      const startedAtMs = clock(process)
      const receipt = createReceipt({
        actionKey: 'action',
        number: number + 1,
        attemptId,
        keySeed,
        idempotencyKey: `${keySeed} ${pick(['10.00', '12.00'])}`,
        startedAtMs,
        changedAtMs: startedAtMs,
        keepUntilSeconds: Infinity,
        ...rules.timesOf(startedAtMs, TIMEOUT_MS, LATE_MS),
      })
      receipts.push(receipt)
      start(process, receipt, page.lastDone)
    })
  }

  /** A careful agent looks into the other system, and states what they see. */
  function declare(page: Page): void {
    const { process, subject } = page
    if (isDown || !process.isAlive || subject === undefined) return
    const stored = receipts.find(({ attemptId }) => attemptId === subject.attemptId)
    const answer = happened.has(subject.attemptId) ? 'done' : 'not_done'
    if (!rules.PHASES[phaseOf(process, stored)].agentMaySet.includes(answer)) return
    settle(subject.attemptId, { state: answer, changedAtMs: nowMs, setBy: true })
  }

  function advance(ms: number): void {
    const untilMs = nowMs + ms
    for (;;) {
      const next = queue.reduce((first, one) => (one.atMs < first.atMs ? one : first), {
        atMs: Infinity,
        run: () => undefined,
      } as (typeof queue)[number])
      if (next.atMs > untilMs) break
      queue.splice(queue.indexOf(next), 1)
      nowMs = Math.max(nowMs, next.atMs)
      next.run()
    }
    nowMs = untilMs
  }

  const pages: (Page | undefined)[] = [undefined, undefined]
  for (let step = 0; step < STEPS; step += 1) {
    advance(pick(PAUSES_MS))
    const agent = pick([0, 1])
    const page = pages[agent]
    const move = random()
    if (page === undefined || move < 0.35) pages[agent] = open(pick(processes))
    else if (move < 0.7 && page.hasForm) confirm(page)
    else if (move < 0.9) declare(page)
    else if (move < 0.93 && hasCrashes) crash(pick(processes))
    else if (hasOutages) {
      // When the store is back, waiting signs arrive before anybody has opened a page.
      isDown = !isDown
      if (!isDown) advance(1_000)
    }
  }
  isDown = false
  advance(300_000)
  for (const [attemptId, outcome] of known) {
    const { state: stored } = receipts.find((one) => one.attemptId === attemptId)!
    if (stored !== outcome && stored !== 'done') problems.add('a known outcome was lost')
  }
  const last = receipts.at(-1)
  const phase = phaseOf(processes[0]!, last)
  if (['running', 'open'].includes(phase)) problems.add('nobody can go on')
  return [...problems]
}
