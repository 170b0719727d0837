import { isSidecardError } from '../../../runtime/internal/errors.ts'
import type { AppLink } from './app-link.ts'
import { createBundleMap } from './bundle-map.ts'
import {
  type CommandFailure,
  findCommandFailure,
  lastLines,
  missingPackagesHint,
  reportsBuildFailure,
} from './command-failure.ts'
import { type DevServer, startDevServer } from './dev-server.ts'
import { reloadsItself } from './known-commands.ts'
import { isListening, waitForEndpoint } from './listening.ts'
import type { Session } from './session.ts'
import type { DevServerSettings } from './settings.ts'
import { isSecretsFile, type SourceChange } from './source-watcher.ts'

/** The server of one or several apps: its command, which may be empty, its output and its failures. */
export interface AppServer extends ReturnType<typeof createAppServer> {}

const MAX_CHARACTERS = 200_000
/** How long the endpoint may take to listen after an error in the output. */
const ERROR_DELAY_MS = 500
/** How long a server may take to start, and to write files. */
const MAX_START_MS = 5_000
/** How long to wait for a process outside of the group that still uses the port. */
const PORT_TIMEOUT_MS = 3_000

/**
 * Creates a server without starting its command.
 *
 * @param onExit called with the reason when the command exits by itself;
 * `undefined` for exit code 0
 */
function createAppServer(
  { settings, io, emulator, reporter, terminal, traffic, over }: Session,
  { apps, command }: DevServerSettings,
  onExit: (reason: string | undefined) => void,
) {
  const endpoint = apps[0].url
  const exists = command.length > 0
  const bundle = createBundleMap(io.cwd)
  let process: DevServer | undefined
  let startedAt = -Infinity
  let hasEverRun = false
  let timer: NodeJS.Timeout | undefined
  /** The output since the newest change, and the part of it that was reported as a failure. */
  let output = ''
  let reported: string | undefined

  function setState(state: 'starting' | 'running'): void {
    server.isRunning = state === 'running'
    hasEverRun ||= server.isRunning
    const { current } = emulator.devServer
    // During a restart, the page keeps what it shows.
    if (current?.state === state || (state === 'starting' && current?.state === 'running')) return
    emulator.devServer.set({ state, message: '', location: null, excerpt: '' })
  }

  function fail(message: string, hint: string, failure: CommandFailure): void {
    const { location = null, excerpt } = failure
    reported = excerpt
    server.isRunning = false
    reporter.commandFailed(message, hint, failure)
    const shown = hint === '' ? message : `${message}. ${hint}`
    emulator.devServer.set({ state: 'failed', message: shown, location, excerpt })
  }

  /**
   * Reports a failure of the command once.
   *
   * @param reason why the command exited; without a reason, only an error in the
   * output counts
   * @returns whether it has failed
   */
  function reportFailure(reason?: string): boolean {
    const found = findCommandFailure(output, io.cwd)
    if (!exists || (found === undefined && reason === undefined)) return false
    const failure = found ?? { location: undefined, excerpt: lastLines(output) }
    const cause = reason === undefined ? '' : ` (${reason})`
    const advice = cause === '' || settings.once ? '' : 'Save a file to start it again.'
    const hint = missingPackagesHint(io.cwd) ?? advice
    // A crash may already have been found in the output before the command exited.
    if (failure.excerpt !== reported) fail(`your command failed${cause}`, hint, failure)
    else if (reason !== undefined) reporter.warn(`your command ended${cause}. ${hint}`.trimEnd())
    return true
  }

  /** Receives complete lines of the output. */
  function append(text: string, stream: 'stdout' | 'stderr'): void {
    bundle.refresh()
    const mapped = bundle.toSource(text)
    output = (output + mapped).slice(-MAX_CHARACTERS)
    if (!traffic.causesOutput()) server.lastOutputAt = performance.now()
    emulator.console.append({ stream, text })
    // A check sends many invalid requests, whose output would hide everything else.
    if (emulator.console.list().at(-1)?.isOfCheck !== true) terminal.output(stream, mapped)
    clearTimeout(timer)
    if (!over.aborted) timer = setTimeout(() => void lookForFailure(), ERROR_DELAY_MS)
  }

  /**
   * Looks for a crash in the output: a command in watch mode outlives the server
   * that it runs, so there is no other sign.
   */
  async function lookForFailure(): Promise<void> {
    if (reportsBuildFailure(output) || !(await isListening(endpoint))) reportFailure()
  }

  function forgetOutput(): void {
    output = ''
    reported = undefined
  }

  /** @throws {SidecardError} `usage` or `command_missing` */
  function start(): void {
    if (!exists) return
    const { env, color, cwd } = io
    forgetOutput()
    setState('starting')
    startedAt = performance.now()
    const started = startDevServer(command, {
      url: endpoint,
      cwd,
      // The output goes through a pipe, so the command cannot detect that there is a terminal.
      env: { ...env, ...(color && !env['FORCE_COLOR'] && { FORCE_COLOR: '1' }) },
      variables: {
        SIDECARD_API_URL: emulator.url,
        SIDECARD_API_TOKEN: emulator.accessToken,
        ...settings.generated,
      },
      onOutput: append,
    })
    process = started
    void started.ended.then(async (reason) => {
      if (process !== started) return
      process = undefined
      startedAt = -Infinity
      // Processes that the command left behind may still use the port.
      await started.stop()
      // If an editor was saving a file, the command may have run an empty one, and exited without
      // an error.
      if (!over.aborted)
        exited(hasEverRun && !server.isRunning ? (reason ?? 'exit code 0') : reason)
    })
  }

  function exited(reason: string | undefined): void {
    if (reason !== undefined) reportFailure(reason)
    onExit(reason)
  }

  async function stop(): Promise<void> {
    const stopped = process
    process = undefined
    await stopped?.stop()
  }

  const server = {
    apps,
    /** The URL of the first app. */
    endpoint,
    /** The apps that are connected. */
    links: [] as AppLink[],
    /** Whether there is a command. */
    exists,
    /** Whether the process of the command exists, or another one follows it. */
    get isAlive() {
      return startedAt > -Infinity
    },
    /** Whether the server is starting and has not responded, so that it may write files. */
    get isStarting() {
      return exists && !server.isRunning && performance.now() < startedAt + MAX_START_MS
    },
    /** Whether the server has responded after its start, and has not failed since. */
    isRunning: false,
    /** Whether a failure has been reported after the newest change, or will be. */
    get hasFailed() {
      return reported !== undefined || reportsBuildFailure(output)
    },
    /**
     * The time of the newest output that is not about a request, in milliseconds of
     * `performance.now()`.
     */
    lastOutputAt: -Infinity,
    /** Returns whether changes require a restart, because the command does not reload itself. */
    needsRestart: (changes: readonly SourceChange[]) =>
      exists &&
      // Programs such as wrangler do not watch local secrets.
      (!reloadsItself(command) ||
        process === undefined ||
        changes.some(({ path }) => isSecretsFile(path))),
    start,
    /** Stops the command, waits until its port is free, and starts it again. */
    async restart(): Promise<void> {
      startedAt = performance.now()
      await stop()
      await waitForEndpoint(endpoint, PORT_TIMEOUT_MS, over, false)
      if (over.aborted) return
      try {
        start()
      } catch (error) {
        // The program may be missing for a moment, for example while npm replaces it.
        if (!isSidecardError(error)) throw error
        startedAt = -Infinity
        exited(error.message)
      }
    },
    /** Stops the command and everything it started. */
    async close(): Promise<void> {
      clearTimeout(timer)
      await stop()
    },
    /** Handles a change of the source: earlier errors in the output no longer count. */
    forgetOutput,
    /** Handles a response of the endpoint. */
    responds(): void {
      if (exists && !reportsBuildFailure(output)) setState('running')
    },
    /** Handles an endpoint that does not respond in time after a change. */
    doesNotRespond(): void {
      if (reported !== undefined || reportFailure()) return
      const message = 'your app has not responded since the save'
      const hint = 'Its code may wait for something while it loads.'
      if (exists) fail(message, hint, { location: undefined, excerpt: '' })
      else reporter.warn(`${message}. ${hint}`)
    },
    /** Prints once why the workspace is still waiting. */
    hintThatNothingListens(): void {
      if (reported !== undefined || reportFailure()) return
      const hint = exists
        ? `The command is running but does not listen there. Its code may wait for something while it loads, or it may listen elsewhere: let it use the port in PORT, or pass its URL with --url.`
        : `Start your server there, let sidecard start it (sidecard dev -- node src/server.ts), or pass its URL with --url.`
      reporter.warn(`cannot reach ${endpoint.href}. ${hint} Still waiting.`)
    },
  }
  return server
}

/** Creates the servers of a session, which end with it. */
export function createServers(session: Session, onExit: (reason: string | undefined) => void) {
  const servers = session.settings.servers.map((each) => createAppServer(session, each, onExit))
  session.defer(() => Promise.all(servers.map((server) => server.close())))
  return servers
}
