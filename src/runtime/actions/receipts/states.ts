import type { Receipt, ReceiptState } from './receipts.ts'

/** What agents see of the last receipt of an action. `none` if there is no receipt. */
export type Phase = 'none' | 'running' | 'open' | 'stuck' | 'over' | 'refused' | 'not_done' | 'done'

/** An outcome that `lookUp` or an agent can set. */
export type SetOutcome = 'done' | 'not_done'

interface Rules {
  /** Whether the next confirmation may begin. */
  readonly mayBegin: boolean
  readonly lookUpMaySet: readonly SetOutcome[]
  readonly agentMaySet: readonly SetOutcome[]
  /** Whether the next confirmation of equal values has the same idempotency key. */
  readonly keepsKey: boolean
}

const FREE: Rules = { mayBegin: true, lookUpMaySet: [], agentMaySet: [], keepsKey: false }
const BOTH: readonly SetOutcome[] = ['done', 'not_done']

/**
 * The table of states. Confirmations of one action are numbered, and the next one
 * begins only after all earlier ones are closed. So the phase of the last receipt
 * decides what every page shows and accepts.
 */
export const PHASES: Readonly<Record<Phase, Rules>> = {
  none: FREE,
  running: { ...FREE, mayBegin: false },
  open: { ...FREE, mayBegin: false, lookUpMaySet: ['done'], agentMaySet: ['done'] },
  stuck: { ...FREE, mayBegin: false, lookUpMaySet: ['done'], agentMaySet: BOTH },
  over: { ...FREE, mayBegin: false, lookUpMaySet: BOTH, agentMaySet: BOTH },
  refused: FREE,
  not_done: { ...FREE, keepsKey: true },
  done: FREE,
}

/**
 * Returns the phase of a receipt.
 *
 * @param isPending whether `run` has not ended in this process
 */
export function phaseOf(receipt: Receipt | undefined, nowMs: number, isPending: boolean): Phase {
  if (receipt === undefined) return 'none'
  const { state, dueAtMs, settlesAtMs, isStuck, keepUntilSeconds } = receipt
  if (state !== 'running' && state !== 'unknown') {
    return nowMs < keepUntilSeconds * 1_000 ? state : 'none'
  }
  if (state === 'running' && nowMs < dueAtMs) return 'running'
  if (!isPending && nowMs >= settlesAtMs) return 'over'
  return isStuck === true ? 'stuck' : 'open'
}

/** A state only changes to a higher one. What `run` itself reports exceeds what others set. */
const RANKS = { running: 0, unknown: 1, not_done: 2, refused: 2, done: 3 }

/** The parts of a receipt that change. */
export type ReceiptChange = Pick<Receipt, 'state' | 'changedAtMs'> &
  Partial<Pick<Receipt, 'settlesAtMs' | 'isStuck' | 'lookedUp' | 'setBy' | 'encrypted'>>

/** Returns a receipt after a change; `undefined` if its state already says as much. */
export function change(stored: Receipt, to: ReceiptChange): Receipt | undefined {
  const isOpen = to.state === 'unknown' || to.state === 'running'
  const isSame = to.state === stored.state && isOpen
  if (!isSame && rankOf(to) <= rankOf(stored)) return undefined
  return {
    ...stored,
    ...to,
    setBy: to.setBy,
    settlesAtMs: Math.max(stored.settlesAtMs, to.settlesAtMs ?? 0),
    // After `erase()`, nothing personal comes back.
    encrypted: stored.encrypted === '' ? '' : (to.encrypted ?? stored.encrypted),
    revision: stored.revision + 1,
  }
}

function rankOf({ state, setBy }: { state: ReceiptState; setBy?: unknown }): number {
  return RANKS[state] + (setBy === undefined ? 0.5 : 0)
}

/** How often a pending `run` writes that it is alive, and how much longer others then wait. */
export const SIGN_MS = 5_000
/** Added to the timeout of `run`, because the store may be slow. */
export const SLACK_MS = 5_000
/** After this time, a pending `run` is reported, and an agent may set its outcome. */
export const STUCK_MS = 900_000
export const STUCK_SIGN_MS = 60_000

/** When a started `run` is due, and when its effects can no longer happen, without an end. */
export function timesOf(startedAtMs: number, timeoutMs: number, lateMs: number) {
  const dueAtMs = startedAtMs + timeoutMs + SLACK_MS
  return { dueAtMs, settlesAtMs: dueAtMs + lateMs }
}

/** Returns the change that an unknown end, or a sign of life of a pending `run`, makes. */
export function unknownAt(nowMs: number, lateMs: number, pendingForMs?: number): ReceiptChange {
  const isStuck = pendingForMs !== undefined && pendingForMs >= STUCK_MS ? true : undefined
  const untilNextMs = pendingForMs === undefined ? 0 : 2 * (isStuck ? STUCK_SIGN_MS : SIGN_MS)
  return {
    state: 'unknown',
    changedAtMs: nowMs,
    settlesAtMs: nowMs + untilNextMs + lateMs,
    isStuck,
  }
}
