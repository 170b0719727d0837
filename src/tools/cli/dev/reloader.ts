import { setTimeout } from 'node:timers/promises'
import type { AppServer } from './app-server.ts'
import { isListening } from './listening.ts'
import type { LoadReports } from './load-reports.ts'
import type { Verdict } from './reporter.ts'
import type { Session } from './session.ts'
import { isData, type SourceChange } from './source-watcher.ts'

/** Matches test files, which a server does not load. */
const TEST = /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.\w+$/

/**
 * The number of consecutive changes, each right after a response or a start, after
 * which a file counts as written by the app.
 */
const MAX_IN_A_ROW = 30

const POLL_MS = 50
const SLOW_POLL_MS = 1_000
/** The maximum time between two looks at a server that has not shown new code for a long time. */
const MAX_POLL_MS = 10_000
/** How long to wait for new code before reporting that there is none. */
const PATIENCE_MS = 5_000
/** After this time, the looks become rare. */
const LONG_MS = 30_000
/** How long newer code may follow the code that was shown. */
const AFTERWARDS_MS = 5_000
/**
 * How long code must respond before it counts as the newest, if an earlier save
 * may still arrive.
 */
const STABLE_MS = 400
const AWAY_MS = 1_000

/** The time without output after which a rebuild counts as complete. */
const QUIET_MS = 150
const REBUILD_MS = 300
/** How long a server without known output may take to reload itself. */
const BLIND_MS = 2_000

/** The state of the server. `silent`: it listens, but times out. */
type Seen = 'new' | 'old' | 'unknown' | 'silent' | 'away'

/** A search for new code after a save. */
interface Search {
  readonly changes: readonly SourceChange[]
  /** Code that responded before this time is old. In milliseconds of `performance.now()`. */
  readonly since: number
  /** Whether the server is a new process, so that every response is from new code. */
  readonly isFresh?: boolean
  /** Whether the code of an earlier save may still arrive. */
  readonly isAmbiguous?: boolean
  /** Whether only new code is shown. */
  readonly isSilent?: boolean
}

/** The clock, which tests replace. */
const CLOCK = {
  /** Returns milliseconds, as `performance.now()` does. */
  now: () => performance.now(),
  sleep: (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }),
}

/**
 * Creates the reloader of a server, which restarts its command if necessary and
 * shows the sidebar, after each change to the source. A newer save interrupts the
 * reload of an older one.
 */
export function createReloader(
  {
    emulator,
    traffic,
    reporter,
    over,
  }: Pick<Session, 'traffic' | 'reporter' | 'over'> & {
    readonly emulator: Pick<Session['emulator'], 'ignoredChange'>
  },
  server: AppServer,
  reports: LoadReports,
  clock = CLOCK,
) {
  const { links } = server
  const inARow = new Map<string, number>()
  let interruption = new AbortController()
  let step = Promise.resolve()
  let pendingSteps = 0
  /** Changes whose code has not arrived. */
  let unshown: readonly SourceChange[] = []
  /** The changes since the newest code was shown that the app may have made. */
  let ignored: readonly SourceChange[] = []
  let ignoredAt = 0
  /** Until this time, a second event for the same bytes does not count as another save. */
  let isSameUntil = -Infinity
  let hasInstances = false
  let lastShownAt = -Infinity
  let looks = 0

  function start(run: (signal: AbortSignal) => Promise<void>): void {
    interruption.abort()
    interruption = new AbortController()
    const signal = AbortSignal.any([over, interruption.signal])
    pendingSteps += 1
    step = step
      .then(() => (signal.aborted ? undefined : run(signal)))
      // The step was interrupted, or the app was deleted in the workspace.
      .catch(() => undefined)
      .finally(() => (pendingSteps -= 1))
  }

  /**
   * Returns whether a person may have made a change. A file that the app writes
   * because of our requests must not cause more requests. Apps mostly write data. A
   * person who saves code right after each response looks like an app that writes
   * code, but stops earlier.
   */
  function isSave({ path, activity }: SourceChange): boolean {
    const before = inARow.get(path) ?? (isData(path) ? MAX_IN_A_ROW : 0)
    const added = activity === 'during' ? MAX_IN_A_ROW : 1
    const count = activity === 'idle' ? 0 : before + added
    inARow.set(path, count)
    if (count <= MAX_IN_A_ROW) return true
    if (before <= MAX_IN_A_ROW) {
      reporter.warn(
        `${path} changed while your app was working, so its changes are ignored. List it in .gitignore if your app writes it.`,
      )
    }
    return false
  }

  /** Names an ignored change in the page. Code is more important than data, which apps write. */
  function ignore(change: SourceChange, changedAt: number): void {
    const isMoreImportant = !isData(change.path) || ignored.every(({ path }) => isData(path))
    ignored = [...ignored.filter(({ path }) => path !== change.path), change]
    ignoredAt = changedAt
    if (!isMoreImportant) return
    emulator.ignoredChange.set({ file: change.path, at: new Date().toISOString() })
  }

  function forgetIgnored(): void {
    ignored = []
    emulator.ignoredChange.set(undefined)
  }

  async function reload(savedAt: number, isAmbiguous: boolean, signal: AbortSignal): Promise<void> {
    const changes = unshown
    forgetIgnored()
    if (!server.needsRestart(changes)) {
      const isSilent = changes.every(({ path }) => TEST.test(path))
      return search({ changes, since: savedAt, isAmbiguous, isSilent }, signal)
    }
    if (server.isRunning && changes.every(({ isSame }) => isSame)) return show(changes, 'unchanged')
    return restart(signal)
  }

  async function restart(signal: AbortSignal): Promise<void> {
    const changes = unshown
    forgetIgnored()
    if (!server.exists) return show(changes, 'fetched')
    await server.restart()
    signal.throwIfAborted()
    return search({ changes, since: clock.now(), isFresh: true }, signal)
  }

  async function search(target: Search, signal: AbortSignal): Promise<void> {
    // The first connection waits for the server by itself, and shows the code.
    if (links.length === 0) {
      unshown = []
      return
    }
    const { changes, isSilent = false } = target
    const startedAt = clock.now()
    isSameUntil = startedAt + LONG_MS
    let { since, isFresh = false } = target
    let until = Infinity
    let shownAt: number | undefined
    /** Whether responses have no ID, so that times and output are the only signs. */
    let isBlind = false
    let isPatient = true
    let isAnnounced = false
    let wasAway = false

    /** Returns whether a server without IDs may have new code, at most twice after a save. */
    async function glance(): Promise<Seen> {
      if (!(await isListening(server.endpoint))) return 'away'
      const now = clock.now()
      const { lastOutputAt } = server
      const isQuiet = now - lastOutputAt > QUIET_MS || now - startedAt > PATIENCE_MS
      const hasSign =
        shownAt === undefined
          ? now - startedAt > REBUILD_MS
          : wasAway || lastOutputAt > shownAt || (!server.exists && now - shownAt > BLIND_MS)
      return isQuiet && hasSign && !server.hasFailed ? 'new' : 'old'
    }

    while (clock.now() < until) {
      // oxlint-disable no-await-in-loop -- one handshake after another
      const seen = await (isBlind ? glance() : look({ ...target, since, isFresh }, signal))
      signal.throwIfAborted()
      const elapsed = clock.now() - startedAt
      wasAway ||= seen === 'away'
      if (seen === 'unknown') {
        if (shownAt !== undefined || isSilent) return
        isBlind = true
      } else if (seen === 'new') {
        const newest = since
        // Code that is newer than a change contains it.
        if (ignoredAt <= newest) forgetIgnored()
        const isLast = isBlind ? shownAt !== undefined : !hasInstances
        since = clock.now()
        isFresh = false
        wasAway = false
        await show(
          changes,
          isBlind ? 'fetched' : 'reloaded',
          (instance) => instance === undefined || traffic.isNew(instance, newest),
        )
        if (isLast) return
        shownAt = clock.now()
        until = shownAt + (isBlind ? LONG_MS : AFTERWARDS_MS)
      } else if (shownAt === undefined && isPatient && elapsed > PATIENCE_MS) {
        isPatient = false
        if (seen !== 'old') server.doesNotRespond()
        else if (!isSilent && !server.hasFailed) await show(changes, 'unchanged')
      } else if (server.exists && !server.isAlive) {
        return
      } else if (seen === 'away' && shownAt === undefined && !isAnnounced && elapsed > AWAY_MS) {
        isAnnounced = true
        if (!server.exists) reports.show([])
      }
      const isSlow = !isBlind && (shownAt !== undefined || !isPatient)
      const isLong = shownAt === undefined && elapsed > LONG_MS
      const rareMs = Math.min(elapsed / 15, MAX_POLL_MS)
      await clock.sleep(isLong ? rareMs : isSlow ? SLOW_POLL_MS : POLL_MS, signal)
      // oxlint-enable no-await-in-loop
    }
  }

  /** Returns the state of one of the apps. A new ID only counts when it occurs again. */
  async function look({ since, isFresh, isAmbiguous }: Search, signal: AbortSignal): Promise<Seen> {
    looks += 1
    const link = links[looks % links.length]
    const found = new Set<string | undefined>()
    while (found.size < 4) {
      // oxlint-disable-next-line no-await-in-loop -- one handshake after another
      const probed = (await link?.probe()) ?? 'away'
      if (typeof probed === 'string') return probed
      const { instance } = probed
      if (instance !== undefined) {
        hasInstances = true
        if (!traffic.isNew(instance, since)) return 'old'
      } else if (!hasInstances && !isFresh) return 'unknown'
      if (isFresh || found.has(instance)) return 'new'
      found.add(instance)
      const delay = isAmbiguous || instance === undefined ? STABLE_MS : 0
      // oxlint-disable-next-line no-await-in-loop -- as above
      await clock.sleep(delay, signal)
    }
    // Every response had another ID, so the endpoint creates its app for each request.
    return 'unknown'
  }

  async function show(
    changes: readonly SourceChange[],
    verdict: Verdict,
    isCurrent: (instance: string | undefined) => boolean = () => true,
  ): Promise<void> {
    unshown = []
    lastShownAt = clock.now()
    server.responds()
    for (const link of links) {
      // oxlint-disable-next-line no-await-in-loop -- reported in their order
      await link.refresh()
    }
    const files = [...new Set(changes.map(({ path }) => path))]
    const appIds = links.map(({ app }) => app.id)
    reports.show(appIds, { files, verdict, isCurrent })
  }

  /**
   * Looks for new code, unless a search is running. This is safe, because handshakes
   * write no files.
   */
  function lookFor(changes: readonly SourceChange[], since: number): void {
    if (pendingSteps === 0) start((signal) => search({ changes, since, isSilent: true }, signal))
  }

  return {
    changed(changes: readonly SourceChange[], savedAt: number): void {
      // A command that starts may write a file again with the same content. On a busy machine, one
      // save can also be two changes, and the second one arrives while its code is awaited.
      const isRecent = clock.now() < isSameUntil
      const isAwaited = pendingSteps > 0 && unshown.length > 0 && server.isAlive && isRecent
      const isSame = changes.every((each) => each.isSame)
      if (isSame && (isAwaited || changes.every(({ activity }) => activity === 'starting'))) return
      const saves = changes.filter(isSave)
      if (saves.length > 0) {
        const isAmbiguous = unshown.length > 0
        unshown = [...unshown, ...saves]
        // The code of these bytes may have been shown after the save.
        const since = isSame ? Math.max(savedAt, lastShownAt) : savedAt
        start((signal) => reload(since, isAmbiguous, signal))
        return
      }
      for (const change of changes) if (!change.isSame) ignore(change, savedAt)
      if (hasInstances && !server.needsRestart(changes)) lookFor(changes, savedAt)
    },
    /** Loads the changes that were ignored. */
    loadIgnored(): void {
      if (ignored.length === 0) return
      unshown = [...unshown, ...ignored]
      start((signal) => reload(ignoredAt, false, signal))
    },
    /** Restarts the command, or fetches the data again if there is none. */
    restart: () => start(restart),
    /** Shows the sidebar when the endpoint responds, although nothing was saved. */
    awaitResponse: () => lookFor([], -Infinity),
  }
}
