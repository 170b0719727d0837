import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandMonitor } from './command-monitor.ts'
import type { DevCommand } from './dev-command.ts'
import { isListening, waitForEndpoint } from './listening.ts'
import type { Probe, Probed } from './probe.ts'
import type { Reload } from './reload.ts'
import { createSaves } from './saves.ts'
import type { SourceChange } from './source-watcher.ts'
import type { Traffic } from './traffic.ts'

/** Options of `createReloader()`. */
export interface ReloaderOptions {
  /** The URL of the server. */
  readonly url: URL
  readonly command: DevCommand
  readonly monitor: CommandMonitor
  readonly traffic: Traffic
  /** Returns the probes of the connected apps. */
  readonly probes: () => readonly Probe[]
  /** Makes the workspace fetch the data of every widget. */
  readonly show: (reload: Reload) => Promise<void>
  /** Called if nothing listens after a change, and no command explains it. */
  readonly onAway: () => void
  /** Receives the path of a file that the app writes, and whose change does not count. */
  readonly onIgnored: (path: string) => void
}

/** Restarts the command and shows the sidebar after each change of the source. */
export interface Reloader {
  changed(changes: readonly SourceChange[], savedAt: number): void
  /** Restarts the command, or fetches the data again if there is none. */
  restart(): void
  /** Shows the sidebar when the endpoint responds, although nothing was saved. */
  awaitResponse(): void
  stop(): void
}

/** A server does not load its tests. */
const TEST = /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.\w+$/

const POLL_MS = 50
const SLOW_POLL_MS = 1_000
/** How long a reload may take until the terminal and the page say that there is none. */
const PATIENCE_MS = 5_000
const GIVE_UP_MS = 30_000
/** How long newer code may follow the code that was shown. */
const AFTERWARDS_MS = 5_000
/** How long code must stay that may be that of an earlier save. */
const STABLE_MS = 400
const AWAY_MS = 1_000

/** The time without output after which a rebuild counts as complete, and the least time. */
const QUIET_MS = 150
const REBUILD_MS = 300
/** How long a server without known output may take to reload itself. */
const BLIND_MS = 2_000

/** The code that is expected after a save. */
interface Search {
  readonly changes: readonly SourceChange[]
  /** Code that responded before is old. In milliseconds of `performance.now()`. */
  since: number
  /** Whether the server is a new process, so that every response is from new code. */
  isFresh: boolean
  /** Whether the code of an earlier save may still arrive. */
  readonly isAmbiguous: boolean
  /** Whether only new code is shown. */
  readonly isSilent: boolean
}

/** Creates a reloader. A newer save interrupts the reload of an older one. */
export function createReloader(options: ReloaderOptions): Reloader {
  const { url, command, monitor, traffic, show } = options
  const saves = createSaves(options.onIgnored)
  const stop = new AbortController()
  let pending: (() => Promise<void>) | undefined
  /** Changes that have not been handled, and changes whose code has not arrived. */
  let queue: readonly SourceChange[] = []
  let unshown: readonly SourceChange[] = []
  let isRunning = false
  let interruption = new AbortController()
  let turn = 0
  let hasInstances = false

  async function run(): Promise<void> {
    isRunning = true
    while (pending !== undefined && !stop.signal.aborted) {
      const next = pending
      pending = undefined
      interruption = new AbortController()
      try {
        // oxlint-disable-next-line no-await-in-loop -- one reload after another
        await next()
      } catch {
        // Interrupted by a newer save, or the app was deleted in the workspace.
      }
    }
    isRunning = false
  }

  async function reload(savedAt: number, isForced = false): Promise<void> {
    const { signal } = interruption
    const isAmbiguous = unshown.length > 0
    const all = [...unshown, ...queue]
    unshown = all
    queue = []
    const isFresh = isForced ? command.exists : command.needsRestart(all)
    if (isForced && !isFresh) return present(all, 'fetched')
    if (!isForced && isFresh && monitor.isRunning && all.every(({ isSame }) => isSame)) {
      return present(all, 'unchanged')
    }
    if (isFresh) {
      await command.restart()
      saves.appRuns()
    }
    signal.throwIfAborted()
    const since = isFresh ? performance.now() : savedAt
    const isSilent = !isFresh && all.every(({ path }) => TEST.test(path))
    await search({ changes: all, since, isFresh, isAmbiguous, isSilent }, signal)
  }

  async function search(target: Search, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now()
    let until = startedAt + GIVE_UP_MS
    let isShown = false
    let isPatient = true
    let isAway = false
    // The first connection waits by itself.
    if (options.probes().length === 0) return
    while (performance.now() < until) {
      // oxlint-disable no-await-in-loop -- one handshake after another
      const seen = await look(target, signal)
      signal.throwIfAborted()
      const elapsed = performance.now() - startedAt
      if (seen === 'unknown' && (isShown || target.isSilent)) return
      if (seen === 'unknown' && !isAway) return followOutput(target.changes, signal)
      if (seen === 'new' || seen === 'unknown') {
        const { since, changes } = target
        const verdict = seen === 'new' ? 'reloaded' : 'fetched'
        target.since = performance.now()
        target.isFresh = false
        until = target.since + AFTERWARDS_MS
        isShown = true
        const isCurrent = (instance: string | undefined) =>
          instance === undefined || traffic.isNew(instance, since)
        await present(changes, verdict, isCurrent)
        signal.throwIfAborted()
        if (seen === 'unknown' || !hasInstances) return
      } else if (!isShown && isPatient && elapsed > PATIENCE_MS) {
        isPatient = false
        if (seen !== 'old') monitor.doesNotRespond()
        else if (!target.isSilent && !monitor.hasFailed) {
          await present(target.changes, 'unchanged')
        }
      } else if (command.exists && command.exited.aborted) {
        return
      } else if (seen === 'away' && !isShown && !isAway && !command.exists && elapsed > AWAY_MS) {
        isAway = true
        options.onAway()
      }
      await sleep(isShown || !isPatient ? SLOW_POLL_MS : POLL_MS, undefined, { signal })
      // oxlint-enable no-await-in-loop
    }
  }

  /** Returns what one of the apps shows. An ID counts when it occurs again. */
  async function look(
    { since, isFresh, isAmbiguous }: Search,
    signal: AbortSignal,
  ): Promise<Exclude<Probed['kind'], 'response'> | 'new' | 'old' | 'unknown'> {
    const probes = options.probes()
    turn += 1
    const probe = probes[turn % probes.length]
    if (probe === undefined) return 'away'
    const found = new Set<string | undefined>()
    for (let attempt = 0; attempt < 4; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one handshake after another
      const probed = await probe()
      if (probed.kind !== 'response') return probed.kind
      const { instance } = probed
      if (instance !== undefined) {
        hasInstances = true
        if (!traffic.isNew(instance, since)) return 'old'
      } else if (!hasInstances && !isFresh) return 'unknown'
      if (isFresh || found.has(instance)) return 'new'
      found.add(instance)
      const delay = isAmbiguous || instance === undefined ? STABLE_MS : 0
      // oxlint-disable-next-line no-await-in-loop -- as above
      await sleep(delay, undefined, { signal })
    }
    // The app is created for each request.
    return 'unknown'
  }

  async function present(
    changes: readonly SourceChange[],
    verdict: Reload['verdict'],
    isCurrent: Reload['isCurrent'] = () => true,
  ): Promise<void> {
    unshown = []
    saves.appRuns()
    await show({ changes, verdict, isCurrent })
  }

  /** Follows a server whose responses have no ID, and which reloads itself, by at most two fetches. */
  async function followOutput(
    changes: readonly SourceChange[],
    signal: AbortSignal,
  ): Promise<void> {
    await isQuiet(performance.now() + REBUILD_MS, signal)
    if (monitor.hasFailed || !(await listens(signal))) return
    await present(changes, 'fetched')
    const shownAt = performance.now()
    const until = shownAt + (command.exists ? GIVE_UP_MS : BLIND_MS)
    // oxlint-disable no-await-in-loop -- one look after another
    while (performance.now() < until && monitor.lastOutputAt < shownAt) {
      if (!(await isListening(url))) break
      await sleep(2 * POLL_MS, undefined, { signal })
    }
    if (command.exists && performance.now() >= until) return
    // oxlint-enable no-await-in-loop
    await isQuiet(performance.now(), signal)
    if (await listens(signal)) await present(changes, 'fetched')
  }

  async function listens(signal: AbortSignal): Promise<boolean> {
    const steps = [
      [AWAY_MS, () => (command.exists ? monitor.endpointAway() : options.onAway())],
      [PATIENCE_MS, () => monitor.doesNotRespond()],
      [GIVE_UP_MS, () => undefined],
    ] as const
    for (const [timeoutMs, onTimeout] of steps) {
      // oxlint-disable-next-line no-await-in-loop -- one step after another
      if (await waitForEndpoint(url, timeoutMs, signal)) return true
      signal.throwIfAborted()
      onTimeout()
    }
    return false
  }

  async function isQuiet(after: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + PATIENCE_MS
    for (let now = performance.now(); now < until; now = performance.now()) {
      if (now >= after && now - monitor.lastOutputAt > QUIET_MS) return
      // oxlint-disable-next-line no-await-in-loop -- until there is no newer output
      await sleep(POLL_MS, undefined, { signal })
    }
  }

  function start(next: () => Promise<void>): void {
    pending = next
    if (!isRunning) void run()
  }

  function lookFor(changes: readonly SourceChange[], since: number): void {
    if (isRunning) return
    const target = { changes, since, isFresh: false, isAmbiguous: false, isSilent: true }
    start(() => search(target, interruption.signal))
  }

  return {
    changed(changes, savedAt) {
      // A process that starts writes the same bytes as the one before.
      const isStarting = !monitor.isRunning && !command.exited.aborted
      const isSame = isStarting && changes.every((change) => change.isSame)
      if (changes.length === 0 || isSame || stop.signal.aborted) return
      const counted = saves.filter(changes)
      if (counted.length > 0) {
        queue = [...queue, ...counted]
        interruption.abort()
        start(() => reload(savedAt))
      } else if (hasInstances && !command.needsRestart(changes)) {
        // Handshakes write no files, so that looking for new code is safe.
        lookFor(changes, savedAt)
      }
    },
    restart() {
      interruption.abort()
      start(() => reload(performance.now(), true))
    },
    awaitResponse: () => lookFor([], -Infinity),
    stop() {
      stop.abort()
      interruption.abort()
    },
  }
}
