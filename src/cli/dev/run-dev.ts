import { EXIT_CODES } from '../exit-codes.ts'
import type { CliContext } from '../io.ts'
import { type AppLink, connectApp } from './app-link.ts'
import { isListening, waitForEndpoint } from './listening.ts'
import { createLoadReports } from './load-reports.ts'
import { openBrowser } from './open-browser.ts'
import { createReloader } from './reloader.ts'
import { openSession, type Session } from './session.ts'
import type { DevSettings } from './settings.ts'
import { pathsOf, type SourceChange, watchSource } from './source-watcher.ts'
import { openTunnelPort, type Protection, requireProtection } from './tunnel.ts'

/** A server does not load its tests. */
const TEST = /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.\w+$/

/** An app that is connected, once its endpoint listens. */
interface Connected {
  readonly link: AppLink
  readonly protection: Protection | undefined
}

/**
 * Runs the emulator with the user's app, until the signal aborts or the dev
 * command exits with code 0. A command that fails is started again after the next
 * change.
 *
 * @returns the exit code
 */
export async function runDev(
  settings: DevSettings,
  io: CliContext,
  signal: AbortSignal,
): Promise<number> {
  const ending = new AbortController()
  const over = AbortSignal.any([signal, ending.signal])
  await using session = await openSession(settings, io, (reason) => {
    if (reason === undefined) ending.abort()
  })
  const closers: (() => unknown)[] = [() => ending.abort()]
  let connected: Connected | undefined
  try {
    closers.push(watch(session, () => connected))
    session.command.start()
    session.reporter.workspace(session.workspace)
    if (settings.open) openBrowser(session.workspace)
    connected = await connect(session, closers, over)
    await aborted(over)
    return EXIT_CODES.ok
  } finally {
    for (const close of closers.toReversed()) {
      // oxlint-disable-next-line no-await-in-loop -- in the reverse order of their start
      await close()
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Connects the app when its endpoint listens. Returns `undefined` if the signal aborts before. */
async function connect(
  session: Session,
  closers: (() => unknown)[],
  signal: AbortSignal,
): Promise<Connected | undefined> {
  const { settings, endpoint, monitor } = session
  const { hintAfterMs = 5_000 } = settings
  if (!(await waitForEndpoint(endpoint, hintAfterMs, signal))) {
    if (signal.aborted) return undefined
    monitor.hintThatNothingListens()
    await waitForEndpoint(endpoint, Infinity, signal)
  }
  if (signal.aborted) return undefined
  monitor.endpointListens()
  const protection = await requireProtection(session)
  const link = await connectApp(session)
  session.reporter.connected(link.app)
  if (protection !== undefined) {
    closers.push(await openTunnelPort(session, link.app.id, protection))
  }
  return { link, protection }
}

/**
 * Restarts the command and reloads the widgets after each change of the source.
 *
 * @returns a function that stops this
 */
function watch(session: Session, connected: () => Connected | undefined): () => void {
  const { settings, io, endpoint, requests, monitor, command, reporter } = session
  const reports = createLoadReports(session)

  async function show(changes: readonly SourceChange[]): Promise<void> {
    const { link, protection } = connected() ?? {}
    if (link === undefined) return
    if (await isListening(endpoint)) monitor.endpointListens()
    await protection?.recheck()
    await link.refresh()
    await reports.reload(link.app.id, changes)
  }

  const reloader = createReloader({
    url: endpoint,
    requests,
    command,
    lastOutputAt: () => monitor.lastOutputAt,
    show,
    async onAway() {
      monitor.endpointAway()
      reports.announce()
    },
    onUnchanged(changes) {
      const files = pathsOf(changes).filter((path) => !TEST.test(path))
      if (settings.command.length > 0 && files.length > 0 && !monitor.mentionsReload()) {
        reporter.unchanged(files)
      }
    },
    onIgnored: (path) =>
      reporter.warn(
        `${path} changes whenever your app runs, so its changes are ignored. List it in .gitignore.`,
      ),
  })
  const stopWatching = watchSource(io.cwd, {
    isDisturbed: () => requests.isActive() || command.isStarting(),
    onProblem: (message) => reporter.warn(message),
    // A bundler may report a failure before the burst ends.
    onNotice: () => monitor.sourceChanged(),
    onChange: (changes) => reloader.changed(changes),
  })
  return () => {
    stopWatching()
    reloader.stop()
    reports.stop()
  }
}
