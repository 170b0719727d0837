/** How the code of a save reaches a server: `dev` restarts its command, or it reloads itself. */
export type Host = 'restarts' | 'reloads' | 'no command'

/**
 * What happened to the newest save. `loading`: new code has answered, and its data is
 * requested.
 */
export type Phase = 'current' | 'saved' | 'waiting' | 'loading' | 'shown' | 'unchanged' | 'failed'

/**
 * The state of the code that responds after a save. `fetched`: it is unknown,
 * because its responses have no ID.
 */
export type Verdict = 'reloaded' | 'fetched' | 'unchanged'

/** A file whose change the watcher reported. */
export interface SavedFile {
  readonly path: string
  /** Whether the file has the same bytes as before. */
  readonly isSame: boolean
  /** After so many reloads in a row during which the file changed, it waits for the next one. */
  readonly limit: number
  /** Whether the command must be restarted although it reloads itself. */
  readonly needsRestart: boolean
}

/** What a probe of the server found. `silent`: it listens, but does not answer in time. */
export type Found = 'answer' | 'listening' | 'silent' | 'away'

/** What happened. */
export type LoopEvent =
  /** `at`: the time of the last change of the burst. */
  | { readonly type: 'saved'; readonly files: readonly SavedFile[]; readonly at: number }
  /** The first handshake, which began at `askedAt`, has ended. */
  | { readonly type: 'connected'; readonly isAnswered: boolean; readonly askedAt: number }
  | { readonly type: 'started' }
  /** The command exited by itself. */
  | { readonly type: 'exited' }
  /** The output, which was printed at a time, shows that the code does not run. */
  | { readonly type: 'failed'; readonly at: number }
  /** The command printed something that is not about a request. */
  | { readonly type: 'output' }
  /** The app answered a request of the workspace. */
  | { readonly type: 'answered'; readonly id: string | undefined; readonly askedAt: number }
  | {
      readonly type: 'probed'
      readonly found: Found
      readonly id?: string | undefined
      readonly askedAt: number
    }
  /** The data that `show` requested has arrived. */
  | { readonly type: 'loaded'; readonly plan: number }
  /** A person asked for a reload. */
  | { readonly type: 'reload' }
  /** The time `wakeAt()` has come. */
  | { readonly type: 'tick' }

/** What to do. A `restart` stops the process, if there is one, and starts the command. */
export type Effect =
  | { readonly type: 'restart' }
  | { readonly type: 'probe'; readonly how: 'handshake' | 'connect' }
  /** Say why it may take so long. */
  | { readonly type: 'hint' }
  /** Let the page show that nothing listens. */
  | { readonly type: 'announce' }
  | {
      readonly type: 'show'
      readonly verdict: Verdict
      readonly files: readonly string[]
      readonly plan: number
    }

/** A file that waits because the app seems to write it. */
export interface HeldFile {
  readonly path: string
  readonly until: number
}

/** Everything that `step()` knows. Times are in milliseconds of one clock. */
export interface LoopState {
  host: Host
  phase: Phase
  isConnected: boolean
  /** Whether the newest code has failed, although older code may respond. */
  isBroken: boolean
  /** The ID of the code that responds after the failure, and whether it is still unknown. */
  brokenId: string | undefined
  awaitsBrokenId: boolean
  failedAt: number
  /** Whether the server is being replaced by code from before the failure. */
  isOverdue: boolean
  /** The process of the command. */
  process: 'none' | 'stopping' | 'running' | 'ended'
  startedAt: number
  /** The saves whose code was not shown. */
  files: readonly string[]
  savedAt: number
  /** The oldest save whose code may still arrive. */
  firstSavedAt: number
  /** The files that were shown last, for a second report about them. */
  lastFiles: readonly string[]
  /** Whether the responses have IDs, and whether these stay the same until the code changes. */
  ids: 'unknown' | 'stable' | 'unstable' | 'none'
  /** The IDs of code from before the save or the start. */
  old: ReadonlySet<string>
  /** The IDs that were first seen after it. */
  fresh: ReadonlySet<string>
  /** When the newest ID was first seen. */
  freshAt: number
  /** Whether the process has not been shown. */
  isNewProcess: boolean
  /** The ID of the code that was shown after the save. */
  shownId: string | undefined
  /** A new ID that has not occurred twice, and how many different ones came in a row. */
  candidate: { readonly id: string | undefined; readonly at: number } | undefined
  newIds: number
  /** The signs of new code in a server without IDs. */
  wasAway: boolean
  outputAt: number
  guesses: number
  maxGuesses: number
  guessedAt: number
  isProbing: boolean
  /** Whether the server listened when it was probed last. */
  isListening: boolean
  /** Whether it answered a handshake then. */
  isAnswering: boolean
  probeAt: number
  /** Until when newer code may follow the code that was shown. */
  lookUntil: number
  /** Whether a person was told why it may take so long. */
  isHinted: boolean
  /** Whether the page has shown that nothing listens. */
  isAnnounced: boolean
  /** The number of the newest `show`. */
  plan: number
  verdict: Verdict
  loadedAt: number
  /** Until when a change may have been made by the reload. */
  reloadUntil: number
  /** The files that changed during this reload, and in how many reloads in a row before it. */
  changed: ReadonlySet<string>
  inARow: ReadonlyMap<string, number>
  held: readonly HeldFile[]
}

/** Returns the state before the command starts. */
export function initialState(host: Host): LoopState {
  return {
    host,
    phase: 'current',
    isConnected: false,
    isBroken: false,
    brokenId: undefined,
    awaitsBrokenId: false,
    failedAt: -Infinity,
    isOverdue: false,
    process: 'none',
    startedAt: -Infinity,
    files: [],
    savedAt: -Infinity,
    firstSavedAt: -Infinity,
    lastFiles: [],
    ids: 'unknown',
    old: new Set(),
    fresh: new Set(),
    freshAt: -Infinity,
    isNewProcess: false,
    shownId: undefined,
    candidate: undefined,
    newIds: 0,
    wasAway: false,
    outputAt: -Infinity,
    guesses: 0,
    maxGuesses: 2,
    guessedAt: -Infinity,
    isProbing: false,
    isListening: false,
    probeAt: Infinity,
    lookUntil: -Infinity,
    isHinted: false,
    isAnnounced: false,
    isAnswering: false,
    plan: 0,
    verdict: 'unchanged',
    loadedAt: -Infinity,
    reloadUntil: -Infinity,
    changed: new Set(),
    inARow: new Map(),
    held: [],
  }
}

/** Returns when `step()` needs a `tick`. */
export function wakeAt({ isProbing, probeAt, held }: LoopState): number {
  return Math.min(isProbing ? Infinity : probeAt, ...held.map(({ until }) => until))
}

/** Returns whether a response with this ID may be from code that is as new as the save. */
export function isCurrent({ ids, old, verdict }: LoopState, id: string | undefined): boolean {
  return verdict !== 'reloaded' || ids !== 'stable' || id === undefined || !old.has(id)
}

/** Returns whether new code is awaited, so that a failed request says nothing about it. */
export function isAwaited({ phase }: Pick<LoopState, 'phase'>): boolean {
  return phase === 'saved' || phase === 'waiting'
}
