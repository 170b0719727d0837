import { setTimeout as sleep } from 'node:timers/promises'
import { isListening, waitForEndpoint } from './listening.ts'
import type { RequestTracker } from './request-tracker.ts'

/** Options for `createReloader()`. */
export interface ReloaderOptions {
  readonly url: URL
  readonly requests: RequestTracker
  /** When the newest output of the command arrived, in milliseconds of `performance.now()`. */
  readonly lastOutputAt: () => number
  /** Makes the workspace fetch the data of every widget. */
  readonly show: () => Promise<void>
  /**
   * Called if the endpoint does not listen again after a change, for example
   * because its code is broken.
   */
  readonly onAway: () => void
}

/** Reloads the sidebar after each change of the source. */
export interface Reloader {
  /**
   * Handles a change. A change during one of our requests may have been made by
   * the app, so it only counts if the process restarts.
   */
  sourceChanged(disturbed: boolean): void
  stop(): void
}

const PROBE_INTERVAL_MS = 25
/** The maximum time until a server starts to restart or rebuild. */
const SETTLE_MS = 300
/** The time without output after which a rebuild counts as complete. */
const QUIET_MS = 100
/** The maximum time of a restart before the workspace shows that the endpoint is unreachable. */
const AWAY_MS = 700
const RESTART_TIMEOUT_MS = 30_000
/**
 * The delays of further fetches from a server that replaces its code without
 * closing its port. Earlier fetches may have run the old code.
 */
const RELOAD_DELAYS_MS = [350, 800]
/** The time after a change in which a restart is attributed to it. */
const WATCH_MS = 3_000

/** Creates a reloader. A newer change cancels the reload of an older one. */
export function createReloader(options: ReloaderOptions): Reloader {
  const { url, requests, show } = options
  let current = new AbortController()
  let reloading = 0

  async function reload(disturbed: boolean, signal: AbortSignal): Promise<void> {
    const changedAt = performance.now()
    const restarted = await settles(changedAt, disturbed ? WATCH_MS : SETTLE_MS, disturbed, signal)
    if (restarted) {
      await showAfterRestart(signal)
      return
    }
    if (disturbed) return
    for (const delay of RELOAD_DELAYS_MS) {
      const before = requests.changes
      // oxlint-disable-next-line no-await-in-loop -- one probe after another
      await show()
      // oxlint-disable-next-line no-await-in-loop -- one probe after another
      const result = await responseChanges(before, delay, signal)
      // oxlint-disable-next-line no-await-in-loop -- the last probe
      if (result === 'restarted') return showAfterRestart(signal)
      if (result === 'changed') return
    }
    if (await goesAway(WATCH_MS, signal)) await showAfterRestart(signal)
  }

  /**
   * Waits until the server restarts (returns true), or until its output indicates
   * a rebuild or the time is up (returns false).
   */
  async function settles(
    changedAt: number,
    timeoutMs: number,
    onlyRestart: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one probe after another
      if (!(await isListening(url))) return true
      const now = performance.now()
      const lastOutputAt = options.lastOutputAt()
      const rebuilt = lastOutputAt > changedAt && now - lastOutputAt > QUIET_MS
      if (now - changedAt > timeoutMs || (rebuilt && !onlyRestart)) return false
      // oxlint-disable-next-line no-await-in-loop -- one probe after another
      await sleep(PROBE_INTERVAL_MS, undefined, { signal })
    }
  }

  async function showAfterRestart(signal: AbortSignal): Promise<void> {
    if (!(await waitForEndpoint(url, AWAY_MS, signal))) {
      signal.throwIfAborted()
      options.onAway()
      await show()
      if (!(await waitForEndpoint(url, RESTART_TIMEOUT_MS, signal))) return
    }
    signal.throwIfAborted()
    await show()
  }

  async function responseChanges(
    before: number,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<'changed' | 'restarted' | 'same'> {
    const until = performance.now() + timeoutMs
    // During a rebuild, a server may delay the response until the rebuild is complete.
    while (performance.now() < until || requests.isPending()) {
      // oxlint-disable-next-line no-await-in-loop -- one probe after another
      if (!(await isListening(url))) return 'restarted'
      // oxlint-disable-next-line no-await-in-loop -- one probe after another
      await sleep(PROBE_INTERVAL_MS, undefined, { signal })
      // Checked last, because the end of a pending response also ends the loop.
      if (requests.changes !== before) return 'changed'
    }
    return 'same'
  }

  async function goesAway(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + timeoutMs
    while (performance.now() < until) {
      // oxlint-disable-next-line no-await-in-loop -- one probe after another
      if (!(await isListening(url))) return true
      // oxlint-disable-next-line no-await-in-loop -- one probe after another
      await sleep(PROBE_INTERVAL_MS * 4, undefined, { signal })
    }
    return false
  }

  return {
    sourceChanged(disturbed) {
      // Files that the app writes must not cancel the reload that caused the write.
      if (disturbed && reloading > 0) return
      current.abort()
      current = new AbortController()
      reloading += 1
      reload(disturbed, current.signal)
        // Canceled by a newer change or the end, or the app was deleted in the workspace.
        .catch(() => undefined)
        .finally(() => (reloading -= 1))
    },
    stop: () => current.abort(),
  }
}
