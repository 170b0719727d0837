import { type Effect, type Found, isAwaited, type LoopState, type Verdict } from './loop-state.ts'

const POLL_MS = 50
const CONNECT_MS = 250
const SLOW_POLL_MS = 1_000
/** The maximum time between two looks at a server that has not shown new code for a long time. */
const MAX_POLL_MS = 10_000
/** How long to wait for new code before reporting that there is none. */
export const PATIENCE_MS = 5_000
/** How long newer code may follow the code that was shown, at least. */
const AFTERWARDS_MS = 60_000
/** How long code must respond before it counts as the newest, if an earlier save may still arrive. */
const STABLE_MS = 400
/** The time without output after which a rebuild counts as complete. */
const QUIET_MS = 150
/** When the data of a server without signs is fetched. */
const GUESS_MS = 1_000
const SECOND_GUESS_MS = 3_000
/** How long an app may write files after its response. */
export const GRACE_MS = 1_000
/** After this time, the page shows that nothing listens. */
const AWAY_MS = 1_000
const MAX_NEW_IDS = 4

/** A step: a copy of the state, which it may change, and what it decided. */
export interface Loop {
  readonly state: LoopState
  readonly effects: Effect[]
  readonly now: number
}

/** Returns whether newer code than the one that was shown may come. */
export function mayLook(
  { isConnected, process, phase, host, lookUntil, held }: LoopState,
  now: number,
) {
  if (!isConnected || process === 'stopping' || process === 'ended') return false
  // A server that reloads itself also loads files that wait.
  if (held.length > 0 && !isAwaited({ phase })) return false
  if (phase === 'loading' || phase === 'shown') return now <= lookUntil
  if (phase === 'unchanged') return host !== 'restarts'
  return phase !== 'current'
}

/** Returns whether a process that was started after the save has not been shown. */
export const isFresh = ({ process, startedAt, savedAt, isNewProcess }: LoopState) =>
  isNewProcess && process === 'running' && startedAt >= savedAt

/** Returns whether times, output and absence are the only signs of new code. */
export const isBlind = (state: LoopState) =>
  (state.ids === 'none' || state.ids === 'unstable') && !isFresh(state)

/** An answer to a question from before the save or the start says nothing about the new code. */
export const isTimely = ({ savedAt, startedAt, process }: LoopState, askedAt: number) =>
  process !== 'stopping' && askedAt >= Math.max(savedAt, startedAt)

export function learn(state: LoopState, id: string | undefined, now: number): void {
  if (id === undefined) return
  if (state.ids === 'unknown' || state.ids === 'none') state.ids = 'stable'
  if (state.old.has(id) || state.fresh.has(id)) return
  state.freshAt = now
  // An app that is created for each request has many IDs.
  state.fresh = new Set([...[...state.fresh].slice(-100), id])
}

/** All code that has answered until now is old. */
export function outdate(state: LoopState): void {
  state.old = new Set([...[...state.old].slice(-100), ...state.fresh])
  state.fresh = new Set()
  state.candidate = undefined
}

/** Begins to look for new code. */
export function lookAnew(state: LoopState): void {
  outdate(state)
  state.shownId = undefined
  state.newIds = 0
  state.wasAway = false
  state.guesses = 0
}

export function probed(loop: Loop, found: Found, id: string | undefined, askedAt: number): void {
  const { state, now } = loop
  state.isProbing = false
  if (!isTimely(state, askedAt)) {
    state.probeAt = now
    return
  }
  if (state.phase === 'saved') state.phase = 'waiting'
  state.isListening = found !== 'away'
  if (found !== 'listening') state.isAnswering = found === 'answer'
  if (found === 'away') state.wasAway = true
  const isGone = found === 'away' && state.guesses === 0 && now - state.savedAt > AWAY_MS
  if (isGone && state.host === 'no command' && !state.isAnnounced) {
    loop.effects.push({ type: 'announce' })
    state.isAnnounced = true
  }
  if (state.awaitsBrokenId && askedAt >= state.failedAt) {
    state.brokenId = id
    state.awaitsBrokenId = false
  }
  if (found === 'answer') readId(loop, id)
  else if (found === 'listening' && isBlind(state)) glance(loop)
  else if (found === 'listening') state.probeAt = now
  else schedule(loop)
}

/** Decides by the ID of a response whether it is from new code. */
function readId(loop: Loop, id: string | undefined): void {
  const { state, now } = loop
  const isOld = id !== undefined && state.old.has(id)
  learn(state, id, now)
  if (isFresh(state) && !isOld) return show(loop, 'reloaded', id)
  if (id === undefined && state.ids === 'unknown') state.ids = 'none'
  if (isBlind(state)) return glance(loop)
  if (isOld || (id !== undefined && id === state.shownId)) {
    state.candidate = undefined
    state.newIds = 0
    return stay(loop)
  }
  if (state.candidate === undefined || state.candidate.id !== id) {
    state.candidate = { id, at: now }
    state.newIds += 1
    state.probeAt = now
    if (state.newIds >= MAX_NEW_IDS) state.ids = 'unstable'
    return
  }
  const mayChange = id === undefined || state.firstSavedAt < state.savedAt
  if (!mayChange || now - state.candidate.at >= STABLE_MS) show(loop, 'reloaded', id)
  else schedule(loop)
}

/** Handles an answer of code that is not new. */
function stay(loop: Loop): void {
  const { state, now } = loop
  const isOver = state.host !== 'restarts' && now - state.savedAt > PATIENCE_MS
  if (state.phase === 'waiting' && isOver) {
    // The save did not repair the code that failed.
    if (state.isBroken) state.phase = 'failed'
    else return show(loop, 'unchanged')
  }
  schedule(loop)
}

/** Decides without an ID whether there may be new code. At most two looks are guesses. */
function glance(loop: Loop): void {
  const { state, now } = loop
  const { wasAway, guesses, guessedAt, outputAt, savedAt } = state
  const isQuiet = now - outputAt > QUIET_MS
  const hasOutput = outputAt > (guesses === 0 ? savedAt : guessedAt) && isQuiet
  if (state.isBroken && !wasAway && !hasOutput) return stay(loop)
  const isDue =
    guesses === 0
      ? now - savedAt > GUESS_MS
      : state.host === 'no command' && now - guessedAt > SECOND_GUESS_MS
  const mayGuess =
    guesses < state.maxGuesses && state.phase !== 'failed' && state.phase !== 'loading'
  if (wasAway || (mayGuess && (hasOutput || isDue))) show(loop, 'fetched')
  else schedule(loop)
}

/** Requests the data, and shows it. */
export function show(loop: Loop, verdict: Verdict, id?: string): void {
  const { state, effects, now } = loop
  const wasFresh = isFresh(state)
  state.phase = 'loading'
  state.plan += 1
  state.verdict = verdict
  state.reloadUntil = Infinity
  state.wasAway = false
  if (verdict !== 'unchanged') {
    state.shownId = id
    state.candidate = undefined
    state.isNewProcess = false
    const isOlder = state.isOverdue || (id !== undefined && id === state.brokenId)
    state.isBroken &&= isOlder
    state.isOverdue = false
    state.guesses += 1
    state.guessedAt = now
    const delay = now - state.firstSavedAt
    const isLast = wasFresh && state.host === 'restarts'
    state.lookUntil = isLast ? -Infinity : now + Math.max(AFTERWARDS_MS, 1.5 * delay)
  }
  effects.push({ type: 'show', verdict, files: state.lastFiles, plan: state.plan })
  schedule(loop)
}

export function load(loop: Loop, plan: number): void {
  const { state, now } = loop
  if (plan !== state.plan) return
  state.phase = state.isBroken ? 'failed' : state.verdict === 'unchanged' ? 'unchanged' : 'shown'
  state.files = []
  state.loadedAt = now
  state.reloadUntil = now + GRACE_MS
  schedule(loop)
}

/** Plans the next look: often at first, and then less and less often, but never not at all. */
function schedule({ state, now }: Loop): void {
  const elapsed = now - state.savedAt
  const isShown = state.guesses > 0
  const rare = Math.max(SLOW_POLL_MS, isShown ? (now - state.guessedAt) / 5 : elapsed / 15)
  const slow = state.phase === 'unchanged' ? rare : Math.min(rare, MAX_POLL_MS)
  const isCheap = !state.isListening || isBlind(state)
  const isSoon = elapsed <= PATIENCE_MS && (isCheap || !isShown)
  state.probeAt = now + (isSoon ? POLL_MS : isCheap ? CONNECT_MS : slow)
}
