import type { AppLink } from './app-link.ts'
import { createFailures } from './failures.ts'
import { reloadsItself } from '../server/known-commands.ts'
import type { Host, LoopEvent } from './loop/loop-state.ts'
import { createServerOutput } from './server-output.ts'
import { createServerProcess } from './server-process.ts'
import type { Session } from './session.ts'
import type { DevServerSettings } from './settings.ts'

/** The server of one or several apps: its command, which may be empty, its output and its failures. */
export type AppServer = ReturnType<typeof createAppServer>

const WAITS = 'Its code may wait for something while it loads'

/** Receives what happens to a server. */
interface ServerListener {
  readonly event: (event: LoopEvent) => void
  /** @returns whether the command is started again */
  readonly exited: () => boolean
}

/** Keeps whether the command runs, and shows it in the page. */
function createStatus({ emulator: { devServer } }: Session) {
  let hasEverRun = false
  let isRunning = false
  return {
    set(state: 'starting' | 'running'): void {
      isRunning = state === 'running'
      hasEverRun ||= isRunning
      const { current } = devServer
      // During a restart, the page keeps what it shows.
      if (current?.state === state || (state === 'starting' && current?.state === 'running')) return
      devServer.set({ state, message: '', location: null, excerpt: '' })
    },
    end(): void {
      isRunning = false
    },
    /** Returns whether the command has run, but does not run. */
    isReplaced: () => hasEverRun && !isRunning,
  }
}

/**
 * Creates a server without starting its command.
 *
 * @param onEnd called with the reason when the command has exited by itself and is not
 * started again; `undefined` for exit code 0
 */
function createAppServer(
  session: Session,
  settings: DevServerSettings,
  onEnd: (reason: string | undefined) => void,
) {
  const { reporter } = session
  const { apps, command } = settings
  const endpoint = apps[0].url
  const exists = command.length > 0
  const host: Host = !exists ? 'no command' : reloadsItself(command) ? 'reloads' : 'restarts'
  const status = createStatus(session)
  const failures = createFailures(session)
  const output = createServerOutput(session, endpoint, {
    onOutput: () => server.listener.event({ type: 'output' }),
    onFailure: (at) => reportFailure(undefined, at),
  })
  const process = createServerProcess(session, settings, {
    onOutput: (text, stream) => output.append(text, stream),
    onExit: exited,
    onStop: () => status.end(),
    onStart() {
      output.forget()
      status.set('starting')
      server.listener.event({ type: 'started' })
    },
  })
  /** @param reason why the command exited; without one, only an error in the output counts */
  function reportFailure(reason?: string, at = performance.now()): void {
    const found = output.findFailure()
    if (!exists || (found === undefined && reason === undefined)) return
    status.end()
    failures.report(found ?? output.lastLines(), reason)
    if (reason === undefined) server.listener.event({ type: 'failed', at })
  }

  function exited(code: string | undefined): void {
    // If an editor was saving a file, the command may have run an empty one, and exited without an
    // error.
    const reason = status.isReplaced() ? (code ?? 'exit code 0') : code
    if (server.listener.exited()) return
    if (reason !== undefined) reportFailure(reason)
    onEnd(reason)
  }

  function hint(print: () => void): void {
    if (!failures.isReported()) reportFailure()
    if (!failures.isReported()) print()
  }

  const server = {
    apps,
    /** The URL of the first app. */
    endpoint,
    host,
    /** The apps that are connected. */
    links: [] as AppLink[],
    /** Receives what happens. The loop of the server replaces it. */
    listener: { event: () => undefined, exited: () => false } as ServerListener,
    /** Returns whether a process is being replaced, so that a request may be cut. */
    isReplaced: () => exists && status.isReplaced(),
    /** Returns whether a failure has been reported after the newest change, or will be. */
    hasFailed: () => failures.isReported() || output.hasBuildFailure(),
    ...process,
    /** Handles a change of the source: earlier errors in the output no longer count. */
    forgetOutput(): void {
      output.forget()
      failures.forget()
    },
    /** Handles a response of the endpoint. */
    responds(): void {
      if (exists && !output.hasBuildFailure()) status.set('running')
    },
    /** Says once why new code may be late. @param files the files that were saved */
    hintThatItIsLate(files: readonly string[]): void {
      const since = files.length === 0 ? '' : ' since the save'
      hint(() => reporter.waiting(files, `your app has not responded${since}`, `${WAITS}.`))
    },
    /** Prints once why the workspace is still waiting. */
    hintThatNothingListens: () => hint(() => reporter.warn(describeSilence(endpoint, exists))),
  }
  return server
}

function describeSilence(endpoint: URL, hasCommand: boolean): string {
  const advice = hasCommand
    ? `The command is running but does not listen there. ${WAITS}, or it may listen elsewhere: let it use the port in PORT, or pass its URL with --url.`
    : `Start your server there, let sidecard start it (sidecard dev -- node src/server.ts), or pass its URL with --url.`
  return `cannot reach ${endpoint.href}. ${advice} Still waiting.`
}

/** Creates the servers of a session, which end with it. */
export function createServers(session: Session, onEnd: (reason: string | undefined) => void) {
  const servers = session.settings.servers.map((each) => createAppServer(session, each, onEnd))
  session.defer(() => Promise.all(servers.map((server) => server.stop())))
  return servers
}
