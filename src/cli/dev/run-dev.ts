import { isSidecardError } from '../../internal/errors.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliContext } from '../io.ts'
import { type AppLink, connectApp } from './app-link.ts'
import { type Keys, listenToKeys } from './keys.ts'
import { waitForEndpoint } from './listening.ts'
import { PROJECT_FILES } from '../project/find-project.ts'
import { createLoadReports } from './load-reports.ts'
import { openBrowser } from './open-browser.ts'
import type { Reload } from './reload.ts'
import { createReloader } from './reloader.ts'
import { type AppServer, openSession, type Session } from './session.ts'
import type { DevSettings } from './settings.ts'
import { watchSource } from './source-watcher.ts'
import { openTunnelPort, type Protection, requireProtection } from './tunnel.ts'

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
    const watching = watch(session, connected)
    closers.push(() => watching.stop())
    for (const server of session.servers) server.process.start()
    session.reporter.workspace(session.workspace)
    if (session.terminal.isInteractive && !settings.json) {
      closers.push(
        listenToKeys(
          io,
          createKeys(session, watching, () => ending.abort()),
        ),
      )
      session.terminal.write('stdout', `${io.palette.dim(HELP)}\n`)
    }
    if (settings.open) openBrowser(session.workspace)
    await Promise.all(
      session.servers.map(async (server) => {
        await connect(session, server, connected, closers, over)
        const links = connected.get(server)?.links ?? []
        // For example, its code waits for something while it loads.
        if (links.some(({ app }) => app.state === 'unverified')) watching.awaitResponse(server)
      }),
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

const HELP = 'o open   c check   r reload   s next state   q quit   ? help'

function createKeys(session: Session, watching: Watching, quit: () => void): Keys {
  const { emulator, terminal, workspace, io, reporter } = session

  async function check(): Promise<void> {
    for (const { id } of emulator.apps.list()) {
      // oxlint-disable-next-line no-await-in-loop -- the endpoint may be slow
      await emulator.apps.check(id)
    }
  }

  const fail = (error: unknown) => {
    if (!isSidecardError(error)) throw error
    reporter.warn(error.message)
  }
  return {
    o: () => openBrowser(workspace),
    c: () => void check().catch(fail),
    r: () => watching.restart(),
    s: () => void watching.showNext().catch(fail),
    q: quit,
    '?': () => terminal.write('stdout', `${io.palette.dim(HELP)}\n`),
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

/** Follows the changes of the source. */
interface Watching {
  /** Shows the sidebar of a server's apps when they respond. */
  awaitResponse(server: AppServer): void
  /** Restarts all commands. */
  restart(): void
  /** Shows the next customer or state of the project. */
  showNext(): Promise<void>
  stop(): void
}

/** Restarts the commands and shows new code after each change of the source. */
function watch(session: Session, connected: ReadonlyMap<AppServer, Connected>): Watching {
  const { io, servers, traffic, reporter } = session
  const reports = createLoadReports(session)
  const reloaders = servers.map((server) => {
    const { endpoint, monitor, process } = server
    const linksOf = () => connected.get(server)?.links ?? []

    async function show(reload: Reload): Promise<void> {
      monitor.endpointListens()
      await connected.get(server)?.protection?.recheck()
      for (const link of linksOf()) {
        // oxlint-disable-next-line no-await-in-loop -- reported in their order
        await link.refresh()
      }
      await reports.show(
        linksOf().map(({ app }) => app.id),
        reload,
      )
    }

    return createReloader({
      url: endpoint,
      traffic,
      command: process,
      monitor,
      probes: () => linksOf().map(({ probe }) => probe),
      show,
      onAway: () => reports.announce(),
      onIgnored: (path) =>
        reporter.warn(
          `${path} changed while your app was working, so its changes are ignored. List it in .gitignore if your app writes it.`,
        ),
    })
  })
  const stopWatching = watchSource(io.cwd, {
    activity() {
      const activity = traffic.activity()
      const isStarting = servers.some((server) => server.process.isStarting())
      return activity === 'idle' && isStarting ? 'after' : activity
    },
    onProblem: (message) => reporter.warn(message),
    // A bundler may report a failure before the burst ends.
    onNotice: () => servers.forEach(({ monitor }) => monitor.sourceChanged()),
    onChange(changes, startedAt) {
      const sources = changes.filter(({ path }) => !PROJECT_PATHS.includes(path))
      if (sources.length < changes.length) readProjectAgain(session)
      for (const reloader of reloaders) reloader.changed(sources, startedAt)
      if (sources.length === 0) reports.announce()
    },
  })
  return {
    awaitResponse: (server) => reloaders[servers.indexOf(server)]?.awaitResponse(),
    restart: () => reloaders.forEach((reloader) => reloader.restart()),
    showNext: () => reports.showNext(),
    stop() {
      stopWatching()
      for (const reloader of reloaders) reloader.stop()
      reports.stop()
    },
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
