import { isSidecardError } from '../../internal/errors.ts'
import { isListening, waitForEndpoint } from './listening.ts'
import type { DevServer } from './dev-server.ts'
import { isSecretsFile, type SourceChange } from './source-watcher.ts'

/** Options of `createDevCommand()`. */
export interface DevCommandOptions {
  /** Starts the command once. Absent if the user starts the server. */
  readonly start: (() => DevServer) | undefined
  readonly endpoint: URL
  /** Whether the command reloads its server itself. */
  readonly reloadsItself: boolean
  /** Called when the command ends, also if it is restarted or stopped. */
  readonly onEnd: () => void
  /** Called when the command exits by itself: with the reason, or `undefined` for exit code 0. */
  readonly onExit: (reason: string | undefined) => void
}

/** The user's dev command, which is started again after changes. */
export interface DevCommand {
  /** Returns whether changes require a restart, because the command does not reload itself. */
  needsRestart(changes: readonly SourceChange[]): boolean
  /** Aborts when the command exits. It is aborted before the command starts. */
  readonly exited: AbortSignal
  /** Returns whether the server is starting, so that it may write files. */
  isStarting(): boolean
  /** Whether there is a command. */
  readonly exists: boolean
  /** @throws {SidecardError} `usage` or `command_missing` */
  start(): void
  /** Stops the command, waits until its port is free, and starts it again. */
  restart(): Promise<void>
  /** Stops the command and everything it started. */
  stop(): Promise<void>
}

/** How long a server may take to start, and to write files after it listens. */
const MAX_START_MS = 5_000
const GRACE_MS = 1_000
/** How long to wait for a process outside of the group that still uses the port. */
const PORT_TIMEOUT_MS = 3_000
const PORT_INTERVAL_MS = 20

/** Creates the command without starting it. */
export function createDevCommand(options: DevCommandOptions): DevCommand {
  const { start, endpoint, reloadsItself, onEnd, onExit } = options
  let server: DevServer | undefined
  let stopped = false
  let startingUntil = -Infinity
  let exited = AbortSignal.abort()
  let hasEverListened = false

  function launch(): void {
    if (start === undefined) return
    const started = start()
    server = started
    startingUntil = performance.now() + MAX_START_MS
    const over = new AbortController()
    exited = over.signal
    let hasListened = false
    void waitForEndpoint(endpoint, MAX_START_MS, over.signal).then((listens) => {
      hasListened = listens
      hasEverListened ||= listens
      if (listens && server === started) startingUntil = performance.now() + GRACE_MS
    })
    void started.ended.then(async (reason) => {
      over.abort()
      onEnd()
      if (server !== started) return
      server = undefined
      startingUntil = -Infinity
      // Processes that it left behind may use the port.
      await started.stop()
      // A file that is empty while an editor writes it runs without an error.
      const isUnexpected = hasEverListened && !hasListened
      if (!stopped) onExit(isUnexpected ? (reason ?? 'exit code 0') : reason)
    })
  }

  async function stopServer(): Promise<void> {
    const running = server
    server = undefined
    await running?.stop()
  }

  return {
    needsRestart: (changes) =>
      start !== undefined &&
      // Programs such as wrangler do not watch local secrets.
      (!reloadsItself || server === undefined || changes.some(({ path }) => isSecretsFile(path))),
    get exited() {
      return exited
    },
    exists: start !== undefined,
    isStarting: () => performance.now() < startingUntil,
    start: launch,
    async restart() {
      startingUntil = performance.now() + MAX_START_MS
      await stopServer()
      const until = performance.now() + PORT_TIMEOUT_MS
      // oxlint-disable-next-line no-await-in-loop -- one probe after another
      while (performance.now() < until && (await isListening(endpoint))) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        await new Promise((resolve) => setTimeout(resolve, PORT_INTERVAL_MS))
      }
      if (stopped) return
      try {
        launch()
      } catch (error) {
        // For example, npm is replacing the program at this moment.
        if (!isSidecardError(error)) throw error
        onExit(error.message)
      }
    },
    async stop() {
      stopped = true
      await stopServer()
    },
  }
}
