import {
  lookAnew,
  outdate,
  GRACE_MS,
  isBlind,
  isFresh,
  isTimely,
  learn,
  load,
  type Loop,
  mayLook,
  PATIENCE_MS,
  probed,
  show,
} from './look.ts'
import type { Effect, LoopEvent, LoopState, SavedFile } from './loop-state.ts'

/** A save of the same bytes so soon after a reload is the same save. */
const ECHO_MS = 1_000
/** How long a file waits first that seems to be written by the app. */
const HOLD_MS = 2_000
/** Two changes are regular if their delays differ by at most this time, or by a tenth. */
const REGULAR_MS = 100
/** The watcher may report a change from before the response up to this time after it. */
const LATE_MS = 50
/** The weight of a change that a person may have made. */
const DOUBTFUL = 1 / 8

/** The result of `step()`. */
export interface Step {
  readonly state: LoopState
  readonly effects: readonly Effect[]
}

/**
 * Decides what to do after an event, so that no save is lost and old code is never shown
 * as new. It has no side effects and no clock.
 */
export function step(before: LoopState, event: LoopEvent, now: number): Step {
  const state = { ...before }
  const effects: Effect[] = []
  const loop: Loop = { state, effects, now }
  handle(loop, event)
  wake(loop)
  return { state, effects }
}

function handle(loop: Loop, event: LoopEvent): void {
  const { state, now } = loop
  switch (event.type) {
    case 'saved':
      return save(loop, event.files, event.at)
    case 'connected':
      state.isConnected = true
      return connect(loop, event.isAnswered && isTimely(state, event.askedAt))
    case 'started':
      state.process = 'running'
      state.startedAt = now
      state.isNewProcess = true
      state.isBroken = false
      state.isListening = false
      lookAnew(state)
      if (state.isConnected) state.probeAt = now
      if (state.phase === 'saved') state.phase = 'waiting'
      return
    case 'exited':
      return exit(loop)
    case 'failed':
      return fail(loop, event.at)
    case 'output':
      state.outputAt = now
      return
    case 'answered':
      if (isTimely(state, event.askedAt)) learn(state, event.id, now)
      return
    case 'probed':
      return probed(loop, event.found, event.id, event.askedAt)
    case 'loaded':
      return load(loop, event.plan)
    case 'reload':
      accept(loop, [], now, true)
      if (state.host === 'no command') show(loop, 'fetched')
      return
    case 'tick':
      return
  }
}

/** Handles the first handshake. The code that answered it may be older than a save during the start. */
function connect({ state, now }: Loop, isAnswered: boolean): void {
  if (state.phase === 'failed') return
  const isNewest = state.files.length === 0 || (state.host === 'restarts' && isFresh(state))
  state.phase = isAnswered && isNewest ? 'current' : 'waiting'
  if (state.phase === 'current') {
    state.files = []
    state.isNewProcess = false
    outdate(state)
  } else {
    lookAnew(state)
    state.probeAt = now
  }
}

/** Does what is due. */
function wake(loop: Loop): void {
  const { state, effects, now } = loop
  if (state.held.some(({ until }) => until <= now)) accept(loop, [], now, false)
  if (!mayLook(state, now)) state.probeAt = Infinity
  const isLate = state.phase === 'waiting' && now - state.savedAt > PATIENCE_MS
  if (isLate && !state.isAnswering && !state.isHinted) {
    state.isHinted = true
    effects.push({ type: 'hint' })
  }
  if (state.isProbing || state.probeAt > now) return
  state.isProbing = true
  const how = state.isListening && !isBlind(state) ? 'handshake' : 'connect'
  effects.push({ type: 'probe', how })
}

function save(loop: Loop, files: readonly SavedFile[], at: number): void {
  const { state, now } = loop
  const saves = files.filter(({ isSame }) => !isSame)
  const needsRestart = files.some((file) => file.needsRestart)
  if (saves.length === 0) {
    saveSame(loop, files, at)
    return
  }
  const paths = saves.map(({ path }) => path)
  for (const path of paths) count(state, path, at, now)
  const countOf = ({ path }: SavedFile) => state.changed.get(path)?.count ?? 0
  const written = saves.filter((file) => countOf(file) >= file.limit)
  if (written.length < saves.length) {
    accept(loop, paths, at, needsRestart)
    return
  }
  const added = written
    .filter(({ path }) => !state.held.some((held) => held.path === path))
    .map((file) => ({
      path: file.path,
      until: now + HOLD_MS * 2 ** Math.min(countOf(file) - file.limit, 12),
    }))
  state.held = [...state.held, ...added]
}

/**
 * Counts a change that the reload may have made. An app usually writes a file before its
 * response, and after the same time of each reload.
 */
function count(state: LoopState, path: string, at: number, now: number): void {
  const before = state.inARow.get(path)
  if (now > state.reloadUntil) {
    state.changed = new Map([...state.changed].filter(([each]) => each !== path))
  } else if (!state.changed.has(path)) {
    const delay = at - state.savedAt
    const isLater = at > state.reloadUntil - GRACE_MS + LATE_MS
    const isRegular =
      before === undefined ||
      Math.abs(delay - before.delay) <= Math.max(REGULAR_MS, before.delay / 10)
    const weight = isRegular && !isLater ? 1 : DOUBTFUL
    const change = { delay, count: (before?.count ?? 0) + weight }
    state.changed = new Map([...state.changed, [path, change]])
  }
}

/** Handles a save without a change: code that is awaited or was just shown contains it. */
function saveSame(loop: Loop, files: readonly SavedFile[], at: number): void {
  const { state, now } = loop
  const { phase, loadedAt, host } = state
  const isPending = phase === 'saved' || phase === 'waiting' || phase === 'loading'
  if (!state.isConnected || isPending || now - loadedAt < ECHO_MS) return
  const paths = files.map(({ path }) => path)
  if (phase === 'failed' || host !== 'restarts') return accept(loop, paths, at, false)
  state.lastFiles = paths
  show(loop, 'unchanged')
}

/** Begins to wait for the code of changed files, and of those that waited. */
function accept(loop: Loop, paths: readonly string[], at: number, needsRestart: boolean): void {
  const { state, effects, now } = loop
  const mayArrive = state.files.length > 0 || state.phase === 'unchanged' || now <= state.lookUntil
  if (state.files.length === 0) state.firstSavedAt = at
  state.maxGuesses = mayArrive ? 4 : 2
  const held = state.held.map(({ path }) => path)
  state.files = [...new Set([...state.files, ...held, ...paths])]
  state.lastFiles = state.files
  state.savedAt = at
  state.held = []
  // The failure of fast code may be known before its save.
  const isOfSave = state.isBroken && state.failedAt > at
  state.phase = isOfSave ? 'failed' : 'saved'
  state.isOverdue &&= isOfSave
  state.awaitsBrokenId &&= isOfSave
  state.plan += 1
  state.isHinted = false
  state.isAnnounced = false
  lookAnew(state)
  state.inARow = state.changed
  state.changed = new Map()
  state.reloadUntil = -Infinity
  if (state.host === 'restarts' || needsRestart || state.process === 'ended')
    restart(state, effects)
  else state.probeAt = now
}

function restart(state: LoopState, effects: Effect[]): void {
  if (state.host === 'no command') return
  state.reloadUntil = Infinity
  state.probeAt = Infinity
  // A process that is being stopped is followed by one that reads the saved files.
  if (state.process !== 'stopping') effects.push({ type: 'restart' })
  state.process = 'stopping'
}

function exit({ state, effects, now }: Loop): void {
  if (state.process === 'stopping') return
  state.process = 'ended'
  state.isListening = false
  if (state.files.length > 0 && state.savedAt > state.startedAt) {
    restart(state, effects)
    return
  }
  state.phase = 'failed'
  state.isBroken = true
  state.reloadUntil = now + GRACE_MS
}

function fail({ state, now }: Loop, at: number): void {
  // Code that was first seen after the failure has repaired it.
  if (state.process === 'stopping' || state.freshAt >= at) return
  outdate(state)
  state.plan += 1
  state.phase = 'failed'
  state.isBroken = true
  state.failedAt = at
  state.isOverdue = state.wasAway
  state.awaitsBrokenId = !isFresh(state)
  state.reloadUntil = now + GRACE_MS
  state.probeAt = now
}
