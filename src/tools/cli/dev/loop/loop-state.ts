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

/** The change of a file during a reload. */
export interface ReloadChange {
  /** How long after the save that caused the reload. */
  readonly delay: number
  /** In how many reloads in a row it changed. Changes that a person may have made count less. */
  readonly count: number
}

/** Everything that `step()` knows. Times are in milliseconds of one clock. */
export type LoopState = ReturnType<typeof initialState>

/** Returns the state before the command starts. */
export function initialState(host: Host) {
  return {
    host,
    phase: 'current' as Phase,
    isConnected: false,
    /** Whether the newest code has failed, although older code may respond. */
    isBroken: false,
    /** The ID of the code that responds after the failure, and whether it is still unknown. */
    brokenId: undefined as string | undefined,
    awaitsBrokenId: false,
    failedAt: -Infinity,
    /** Whether the server is being replaced by code from before the failure. */
    isOverdue: false,
    /** The process of the command. */
    process: 'none' as 'none' | 'stopping' | 'running' | 'ended',
    startedAt: -Infinity,
    /** The saves whose code was not shown. */
    files: [] as readonly string[],
    savedAt: -Infinity,
    /** The oldest save whose code may still arrive. */
    firstSavedAt: -Infinity,
    /** The files that were shown last, for a second report about them. */
    lastFiles: [] as readonly string[],
    /** Whether the responses have IDs, and whether these stay the same until the code changes. */
    ids: 'unknown' as 'unknown' | 'stable' | 'unstable' | 'none',
    /** The IDs of code from before the save or the start. */
    old: new Set() as ReadonlySet<string>,
    /** The IDs that were first seen after it. */
    fresh: new Set() as ReadonlySet<string>,
    /** When the newest ID was first seen. */
    freshAt: -Infinity,
    /** Whether the process has not been shown. */
    isNewProcess: false,
    /** The ID of the code that was shown after the save. */
    shownId: undefined as string | undefined,
    /** A new ID that has not occurred twice, and how many different ones came in a row. */
    candidate: undefined as { readonly id: string | undefined; readonly at: number } | undefined,
    newIds: 0,
    /** The signs of new code in a server without IDs. */
    wasAway: false,
    outputAt: -Infinity,
    guesses: 0,
    maxGuesses: 2,
    guessedAt: -Infinity,
    isProbing: false,
    /** Whether the server listened when it was probed last. */
    isListening: false,
    /** Whether it answered a handshake then. */
    isAnswering: false,
    probeAt: Infinity,
    /** Until when newer code may follow the code that was shown. */
    lookUntil: -Infinity,
    /** Whether a person was told why it may take so long. */
    isHinted: false,
    /** Whether the page has shown that nothing listens. */
    isAnnounced: false,
    /** The number of the newest `show`. */
    plan: 0,
    verdict: 'unchanged' as Verdict,
    loadedAt: -Infinity,
    /** Until when a change may have been made by the reload. */
    reloadUntil: -Infinity,
    /** The files that changed during this reload, and during the one before it. */
    changed: new Map() as ReadonlyMap<string, ReloadChange>,
    inARow: new Map() as ReadonlyMap<string, ReloadChange>,
    held: [] as readonly HeldFile[],
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
