import { isSidecardError } from '../../internal/errors.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliContext } from '../io.ts'
import { type AppLink, connectApp } from './app-link.ts'
import { isListening, waitForEndpoint } from './listening.ts'
import { PROJECT_FILES } from '../project/find-project.ts'
import { createLoadReports } from './load-reports.ts'
import { openBrowser } from './open-browser.ts'
import { createReloader } from './reloader.ts'
import { type AppServer, openSession, type Session } from './session.ts'
import type { DevSettings } from './settings.ts'
import { pathsOf, type SourceChange, watchSource } from './source-watcher.ts'
import { openTunnelPort, type Protection, requireProtection } from './tunnel.ts'

/** A server does not load its tests. */
const TEST = /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.\w+$/

const PROJECT_PATHS: readonly string[] = PROJECT_FILES

/** The apps of a server that are connected, once it listens. */
interface Connected {
  readonly links: readonly AppLink[]
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
    if (reason === undefined && settings.servers.length === 1) ending.abort()
  })
  const closers: (() => unknown)[] = [() => ending.abort()]
  const connected = new Map<AppServer, Connected>()
  try {
    closers.push(watch(session, connected))
    for (const server of session.servers) server.process.start()
    session.reporter.workspace(session.workspace)
    if (settings.open) openBrowser(session.workspace)
    await Promise.all(
      session.servers.map((server) => connect(session, server, connected, closers, over)),
    )
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

/** Connects the apps of a server when it listens, unless the signal aborts before. */
async function connect(
  session: Session,
  server: AppServer,
  connected: Map<AppServer, Connected>,
  closers: (() => unknown)[],
  signal: AbortSignal,
): Promise<void> {
  const { hintAfterMs = 5_000 } = session.settings
  const { endpoint, monitor, apps } = server
  if (!(await waitForEndpoint(endpoint, hintAfterMs, signal))) {
    if (signal.aborted) return
    monitor.hintThatNothingListens()
    await waitForEndpoint(endpoint, Infinity, signal)
  }
  if (signal.aborted) return
  monitor.endpointListens()
  const protection = await requireProtection(session, apps[0])
  const links: AppLink[] = []
  for (const app of apps) {
    // oxlint-disable-next-line no-await-in-loop -- reported in their order
    const link = await connectApp(session, app)
    session.reporter.connected(link.app)
    links.push(link)
  }
  const [first] = links
  if (protection !== undefined && first !== undefined) {
    closers.push(await openTunnelPort(session, endpoint, first.app.id, protection))
  }
  connected.set(server, { links, protection })
}

/**
 * Restarts the commands and reloads the widgets after each change of the source.
 *
 * @returns a function that stops this
 */
function watch(session: Session, connected: ReadonlyMap<AppServer, Connected>): () => void {
  const { io, servers, requests, reporter } = session
  const reports = createLoadReports(session)
  const reloaders = servers.map((server) => {
    const { endpoint, monitor, process } = server

    async function show(changes: readonly SourceChange[]): Promise<void> {
      const { links = [], protection } = connected.get(server) ?? {}
      const [first] = links
      if (first === undefined) return
      if (await isListening(endpoint)) monitor.endpointListens()
      await protection?.recheck()
      for (const link of links) {
        // oxlint-disable-next-line no-await-in-loop -- reported in their order
        await link.refresh()
      }
      await reports.reload(first.app.id, changes)
    }

    return createReloader({
      url: endpoint,
      requests,
      command: process,
      lastOutputAt: () => monitor.lastOutputAt,
      show,
      async onAway() {
        monitor.endpointAway()
        reports.announce()
      },
      onUnchanged(changes) {
        const files = pathsOf(changes).filter((path) => !TEST.test(path))
        if (server.command.length > 0 && files.length > 0 && !monitor.mentionsReload()) {
          reporter.unchanged(files)
        }
      },
      onIgnored: (path) =>
        reporter.warn(
          `${path} changes whenever your app runs, so its changes are ignored. List it in .gitignore.`,
        ),
    })
  })
  const stopWatching = watchSource(io.cwd, {
    isDisturbed: () => requests.isActive() || servers.some((server) => server.process.isStarting()),
    onProblem: (message) => reporter.warn(message),
    // A bundler may report a failure before the burst ends.
    onNotice: () => servers.forEach(({ monitor }) => monitor.sourceChanged()),
    onChange(changes) {
      const sources = changes.filter(({ path }) => !PROJECT_PATHS.includes(path))
      if (sources.length < changes.length) readProjectAgain(session)
      for (const reloader of reloaders) reloader.changed(sources)
      if (sources.length === 0) reports.announce()
    },
  })
  return () => {
    stopWatching()
    for (const reloader of reloaders) reloader.stop()
    reports.stop()
  }
}

/** Shows the customers and states of the files after a change. An invalid file changes nothing. */
function readProjectAgain(session: Session): void {
  const { settings, emulator, reporter } = session
  try {
    const project = settings.readProject()
    emulator.project.set(project)
    if (JSON.stringify(project.apps) !== JSON.stringify(session.project.apps)) {
      reporter.warn('the apps of the project changed. Restart sidecard dev to use them.')
    }
  } catch (error) {
    if (!isSidecardError(error)) throw error
    reporter.warn(error.message)
  }
}
