import { setTimeout as sleep } from 'node:timers/promises'
import { isListening, waitForEndpoint } from './listening.ts'
import type { RequestTracker } from './request-tracker.ts'
import type { SourceChange } from './source-watcher.ts'

/** The parts of a session that a reload uses. */
export interface ReloadOptions {
  /** The URL of the endpoint. */
  readonly url: URL
  readonly requests: RequestTracker
  /** When the newest output of the command arrived, in milliseconds of `performance.now()`. */
  readonly lastOutputAt: () => number
  /** Makes the workspace fetch the data of every widget. */
  readonly show: (changes: readonly SourceChange[]) => Promise<void>
  /**
   * Called if the endpoint does not listen again after a change, for example
   * because its code is broken.
   */
  readonly onAway: () => Promise<void>
  /** Called if a server that reloads itself showed no sign of it. */
  readonly onUnchanged: (changes: readonly SourceChange[]) => void
}

/** Options of `followReload()`. */
export interface SelfReloadOptions extends ReloadOptions {
  readonly changes: readonly SourceChange[]
  /** In milliseconds of `performance.now()`. */
  readonly changedAt: number
  readonly signal: AbortSignal
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

/**
 * Follows a server that reloads itself after a change, and shows its new
 * responses.
 *
 * @throws {DOMException} `AbortError`
 */
export async function followReload(options: SelfReloadOptions): Promise<void> {
  const { url, requests, changes, signal } = options
  if (await settles(options)) return showAfterRestart(options)
  for (const delay of RELOAD_DELAYS_MS) {
    const { changes: before, hasFetched } = requests
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    await options.show(changes)
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    const result = await responseChanges(before, delay, options)
    // oxlint-disable-next-line no-await-in-loop -- the last probe
    if (result === 'restarted') return showAfterRestart(options)
    // The first response of all is not a sign of new code.
    if (result === 'changed' && hasFetched) return
  }
  const until = performance.now() + WATCH_MS
  while (performance.now() < until) {
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    if (!(await isListening(url))) return showAfterRestart(options)
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    await sleep(PROBE_INTERVAL_MS * 4, undefined, { signal })
  }
  options.onUnchanged(changes)
}

/**
 * Waits until the server restarts (returns true), or until its output indicates
 * a rebuild or the time is up (returns false).
 */
async function settles(options: SelfReloadOptions): Promise<boolean> {
  const { url, changedAt, lastOutputAt, signal } = options
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    if (!(await isListening(url))) return true
    const now = performance.now()
    const rebuilt = lastOutputAt() > changedAt && now - lastOutputAt() > QUIET_MS
    if (now - changedAt > SETTLE_MS || rebuilt) return false
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    await sleep(PROBE_INTERVAL_MS, undefined, { signal })
  }
}

async function showAfterRestart(options: SelfReloadOptions): Promise<void> {
  const { url, signal, changes } = options
  if (!(await waitForEndpoint(url, AWAY_MS, signal))) {
    signal.throwIfAborted()
    await options.onAway()
    if (!(await waitForEndpoint(url, RESTART_TIMEOUT_MS, signal))) return
  }
  signal.throwIfAborted()
  await options.show(changes)
}

async function responseChanges(
  before: number,
  timeoutMs: number,
  { url, requests, signal }: SelfReloadOptions,
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
