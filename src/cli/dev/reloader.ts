import { setTimeout as sleep } from 'node:timers/promises'
import type { DevCommand } from './dev-command.ts'
import { waitForEndpoint } from './listening.ts'
import { createOwnWrites } from './own-writes.ts'
import { followReload, type ReloadOptions } from './self-reload.ts'
import type { SourceChange } from './source-watcher.ts'

/** Options of `createReloader()`. */
export interface ReloaderOptions extends ReloadOptions {
  readonly command: DevCommand
  /** Receives the path of a file that the app writes, and whose changes no longer count. */
  readonly onIgnored: (path: string) => void
}

/** Restarts the command and reloads the sidebar after each change of the source. */
export interface Reloader {
  changed(changes: readonly SourceChange[]): void
  stop(): void
}

/** The maximum time of a restart before the workspace shows that the endpoint is unreachable. */
const AWAY_MS = 3_000
const RESTART_TIMEOUT_MS = 30_000
const PAUSE_MS = 1_000
/** How long to wait for files that the app writes after a response, and for their report. */
const WRITE_MS = 300

/** Creates a reloader. A newer change interrupts the reload of an older one. */
export function createReloader(options: ReloaderOptions): Reloader {
  const { url, requests, command, show } = options
  const ownWrites = createOwnWrites(options.onIgnored)
  let pending: readonly SourceChange[] = []
  let isRunning = false
  const stop = new AbortController()
  let interruption = new AbortController()

  async function run(): Promise<void> {
    isRunning = true
    while (pending.length > 0 && !stop.signal.aborted) {
      const changes = pending
      pending = []
      interruption = new AbortController()
      try {
        // oxlint-disable-next-line no-await-in-loop -- one reload after another
        await reload(changes, interruption.signal)
      } catch {
        // Interrupted by a newer change, which also shows this one, or the app was deleted in the
        // workspace.
        if (interruption.signal.aborted) pending = [...changes, ...pending]
      }
    }
    isRunning = false
  }

  async function reload(changes: readonly SourceChange[], signal: AbortSignal): Promise<void> {
    const isAmbiguous = changes.every(({ disturbed }) => disturbed)
    if (isAmbiguous && ownWrites.isDecisive(changes)) await pause(signal)
    ownWrites.appRuns()
    const changedAt = performance.now()
    const restarts = command.needsRestart(changes)
    if (restarts) await command.restart()
    signal.throwIfAborted()
    if (restarts && !(await isUp(AWAY_MS, signal))) {
      await options.onAway()
      if (!(await isUp(RESTART_TIMEOUT_MS, signal))) return
    }
    if (isAmbiguous && !(await isSavedByPerson(changes, signal))) return
    if (restarts) await show(changes)
    else await followReload({ ...options, changes, changedAt, signal })
  }

  /** Waits until a person who saves a file repeatedly pauses. */
  async function pause(signal: AbortSignal): Promise<void> {
    let before
    do {
      before = pending
      // oxlint-disable-next-line no-await-in-loop -- until there is no newer change
      await sleep(PAUSE_MS, undefined, { signal })
    } while (before !== pending)
    pending = []
  }

  /** Waits until the endpoint listens, unless the command exits. */
  async function isUp(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const listens = await waitForEndpoint(url, timeoutMs, AbortSignal.any([signal, command.exited]))
    signal.throwIfAborted()
    return listens
  }

  /**
   * A change while the app starts or responds may have been made by the app. If it
   * was, the file changes again when the app responds again.
   */
  async function isSavedByPerson(
    changes: readonly SourceChange[],
    signal: AbortSignal,
  ): Promise<boolean> {
    await requests.repeat()
    await sleep(WRITE_MS, undefined, { signal })
    return ownWrites.settle(changes)
  }

  return {
    changed(changes) {
      const counted = ownWrites.filter(changes)
      if (counted.length === 0 || stop.signal.aborted) return
      pending = [...pending, ...counted]
      // Files that the app writes must not interrupt the reload that caused them.
      if (counted.some(({ disturbed }) => !disturbed)) interruption.abort()
      if (!isRunning) void run()
    },
    stop() {
      stop.abort()
      interruption.abort()
    },
  }
}
