import { once } from 'node:events'
import { isSidecardError } from '../../../runtime/internal/errors.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliContext } from '../io.ts'
import { PROJECT_FILES } from '../../project/project.ts'
import { type AppLink, connectApp } from './app-link.ts'
import { type AppServer, createServers } from './app-server.ts'
import { listenToKeys } from './keys.ts'
import { waitForEndpoint } from '../server/listening.ts'
import { createLoadReports, openFirstIssue } from './load-reports.ts'
import { openBrowser } from './open-browser.ts'
import { createLoop, type Loop } from './loop/loop.ts'
import { isFailed } from './reporter.ts'
import { openSession, type Session } from './session.ts'
import type { DevSettings } from './settings.ts'
import { watchSource } from './watch/source-watcher.ts'
import { openTunnel } from '../tunnel/tunnel.ts'

const PROJECT_PATHS: readonly string[] = PROJECT_FILES

/** How long the endpoint may take to listen before a hint is printed. */
const HINT_AFTER_MS = 5_000
/** A server that installs or compiles something first may take long. */
const START_TIMEOUT_MS = 60_000

/**
 * Runs the emulator with the user's app: for one issue with `once`, and otherwise
 * until the signal aborts or the dev command exits with code 0. A command that
 * fails is started again after the next change.
 *
 * @returns the exit code
 */
export async function runDev(settings: DevSettings, io: CliContext, signal: AbortSignal) {
  await using session = await openSession(settings, io, signal)
  return await (settings.once ? openOnce(session, signal) : develop(session))
}

/** Opens one issue, and prints the sidebar and every failure. */
async function openOnce(session: Session, signal: AbortSignal): Promise<number> {
  const { emulator, reporter, over } = session
  const servers = createServers(session, (reason) => {
    if (reason === undefined) reporter.warn('your command ended before it listened')
    session.end()
  })
  for (const server of servers) server.start()
  for (const server of servers) {
    // oxlint-disable-next-line no-await-in-loop -- one app after another
    await connect(session, server)
    if (signal.aborted) return EXIT_CODES.interrupted
    if (server.links.some(({ app }) => app.state !== 'connected')) return EXIT_CODES.failed
    if (server.links.length === 0) return over.aborted ? EXIT_CODES.failed : EXIT_CODES.unreachable
  }
  const ids = servers.flatMap(({ links }) => links.map(({ app }) => app.id))
  // A database may have other apps.
  const widgets = (await openFirstIssue(emulator)).filter(({ appId }) => ids.includes(appId))
  if (widgets.length === 0) {
    reporter.warn('The data set has no issue, so no data was requested.')
    return EXIT_CODES.failed
  }
  for (const widget of widgets) reporter.opened(widget)
  return widgets.some(isFailed) ? EXIT_CODES.failed : EXIT_CODES.ok
}

/** Reloads the sidebar after each change, until the session ends. */
async function develop(session: Session): Promise<number> {
  const { settings, io, emulator, over, end, defer, reporter, terminal } = session
  const servers = createServers(session, (reason) => {
    if (reason === undefined && settings.servers.length === 1) end()
  })
  const reports = createLoadReports(session, servers)
  const loops = servers.map((server) => createLoop(session, server, reports))
  const reload = () => loops.forEach((loop) => loop.emit({ type: 'reload' }))
  emulator.saves.load = reload
  const stopWatching = watchSource(io.cwd, {
    onProblem: (message) => reporter.warn(message),
    // The output is forgotten at the first change, because a bundler may report a failure before
    // the last one.
    onNotice: () => servers.forEach((server) => server.forgetOutput()),
    onChange(changes, at) {
      const files = changes.filter(({ path }) => !PROJECT_PATHS.includes(path))
      if (files.length < changes.length) readProjectAgain(session)
      if (files.length === 0) reports.announce()
      else loops.forEach((loop) => loop.emit({ type: 'saved', files, at }))
    },
  })
  defer(stopWatching)
  for (const server of servers) server.start()
  reporter.workspace(session)
  if (terminal.isInteractive) {
    const help = () => terminal.write('stdout', `${io.palette.dim(HELP)}\n`)
    const run = (action: () => Promise<unknown>) =>
      void action().catch((error) => reporter.warnOf(error))
    const keys = {
      o: () => openBrowser(session.page),
      c: () =>
        run(() => Promise.all(emulator.apps.list().map(({ id }) => emulator.apps.check(id)))),
      r: reload,
      s: () => run(() => reports.showNext()),
      q: end,
      '?': help,
    }
    defer(listenToKeys(io, keys))
    help()
  }
  if (settings.open) openBrowser(session.page)
  await Promise.all(servers.map((server, index) => connect(session, server, loops[index])))
  if (!over.aborted) await once(over, 'abort')
  return EXIT_CODES.ok
}

const HELP = 'o open   c check   r reload   s next state   q quit   ? help'

/** Connects the apps of a server when it listens, unless the session ends before. */
async function connect(session: Session, server: AppServer, loop?: Loop): Promise<void> {
  const { settings, reporter, over } = session
  const { endpoint, apps } = server
  const links: AppLink[] = []
  const { once: isOnce, tunnelPort, hintAfterMs } = settings
  const timeoutMs = hintAfterMs ?? (isOnce ? START_TIMEOUT_MS : HINT_AFTER_MS)
  if (!(await waitForEndpoint(endpoint, timeoutMs, over))) {
    if (over.aborted) return
    server.hintThatNothingListens()
    if (isOnce) return
    await waitForEndpoint(endpoint, Infinity, over)
  }
  if (over.aborted) return
  server.responds()
  const askedAt = performance.now()
  for (const app of apps) {
    // oxlint-disable-next-line no-await-in-loop -- reported in their order
    const link = await connectApp(session, app)
    reporter.connected(link.app)
    links.push(link)
    if (!isOnce) void link.retry(over)
    // oxlint-disable-next-line no-await-in-loop -- there is one app
    if (tunnelPort !== undefined) await openTunnel(session, link, tunnelPort)
  }
  server.links.push(...links)
  // An app may respond later, for example if its code waits for something while it loads.
  const isAnswered = links.every(({ hasAnswered }) => hasAnswered)
  loop?.emit({ type: 'connected', isAnswered, askedAt })
}

/**
 * Updates the customers and states after a change to the files. An invalid file
 * changes nothing.
 */
function readProjectAgain(session: Session): void {
  const { settings, emulator, reporter } = session
  const report = (message: string) => {
    reporter.warn(message)
    emulator.projectProblem.set(message.replace(/^the /, 'The '))
  }
  try {
    const project = settings.readProject()
    emulator.project.set(project)
    if (JSON.stringify(project.apps) !== JSON.stringify(session.project.apps)) {
      report('the apps of the project changed. Restart sidecard dev to use them.')
    } else emulator.projectProblem.set(null)
  } catch (error) {
    if (!isSidecardError(error)) throw error
    report(error.message)
  }
}
