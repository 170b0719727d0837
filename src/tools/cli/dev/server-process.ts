import { isSidecardError } from '../../../runtime/internal/errors.ts'
import { type DevServer, startDevServer } from '../server/dev-server.ts'
import { waitForEndpoint } from '../server/listening.ts'
import type { Session } from './session.ts'
import type { DevServerSettings } from './settings.ts'

/** How long to wait for a process outside of the group that still uses the port. */
const PORT_TIMEOUT_MS = 3_000

/** Receives what happens to the process. */
interface ProcessListener {
  readonly onStart: () => void
  readonly onStop: () => void
  readonly onOutput: (text: string, stream: 'stdout' | 'stderr') => void
  /** The process has exited by itself. Without a reason, its exit code was 0. */
  readonly onExit: (reason: string | undefined) => void
}

/** Runs the command of a server, at most once at a time. */
export function createServerProcess(
  { settings, io, emulator, over }: Session,
  { apps: [{ url }], command }: DevServerSettings,
  { onStart, onStop, onOutput, onExit }: ProcessListener,
) {
  let process: DevServer | undefined
  let replacement = Promise.resolve()

  /** @throws {SidecardError} `usage` or `command_missing` */
  function start(): void {
    if (command.length === 0) return
    const { env, color, cwd } = io
    onStart()
    const started = startDevServer(command, {
      url,
      cwd,
      // The output goes through a pipe, so the command cannot detect that there is a terminal.
      env: { ...env, ...(color && !env['FORCE_COLOR'] && { FORCE_COLOR: '1' }) },
      variables: {
        SIDECARD_API_URL: emulator.url,
        SIDECARD_API_TOKEN: emulator.accessToken,
        ...settings.generated,
      },
      onOutput,
    })
    process = started
    void started.ended.then(async (reason) => {
      if (process !== started) return
      process = undefined
      // Processes that the command left behind may still use the port.
      await started.stop()
      if (!over.aborted) onExit(reason)
    })
  }

  async function stop(): Promise<void> {
    const stopped = process
    process = undefined
    await stopped?.stop()
  }

  async function replace(): Promise<void> {
    onStop()
    await stop()
    await waitForEndpoint(url, PORT_TIMEOUT_MS, over, false)
    if (over.aborted) return
    try {
      start()
    } catch (error) {
      // The program may be missing for a moment, for example while npm replaces it.
      if (!isSidecardError(error)) throw error
      onExit(error.message)
    }
  }

  return {
    start,
    /** Stops the command, waits until its port is free, and starts it again. */
    restart: () => (replacement = replacement.then(replace)),
    /** Stops the command and everything it started. */
    stop,
  }
}
