import { resolve } from 'node:path'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { DEV_VARIABLE } from '../../internal/headers.ts'
import { isLoopback } from '../../internal/is-loopback.ts'
import { parseEndpointUrl } from '../../service/target.ts'
import type { CliContext } from '../io.ts'
import { createTransport } from '../transport/transport.ts'
import { createCommandMonitor, type CommandMonitor } from './command-monitor.ts'
import { createDevCommand, type DevCommand } from './dev-command.ts'
import { startDevServer } from './dev-server.ts'
import { reloadsItself, withWorkerVariables } from './known-commands.ts'
import { assertPortIsFree, listenOnPort, portOf } from './ports.ts'
import { createReporter, type DevReporter } from './reporter.ts'
import { type RequestTracker, trackRequests } from './request-tracker.ts'
import type { DevSettings } from './settings.ts'

/** The parts of `sidecard dev`: the emulator, and the user's command. */
export interface Session {
  readonly settings: DevSettings
  readonly io: CliContext
  readonly endpoint: URL
  readonly emulator: Emulator
  /** The URL of the workspace. */
  readonly workspace: string
  readonly requests: RequestTracker
  readonly reporter: DevReporter
  readonly monitor: CommandMonitor
  readonly command: DevCommand
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the emulator, and prepares the user's command.
 *
 * @param onExit called when the command exits by itself: with the reason, or `undefined` for exit code 0
 * @throws {SidecardError} `usage`, `port_in_use`, or an error of `createEmulator()`
 */
export async function openSession(
  settings: DevSettings,
  io: CliContext,
  onExit: (reason: string | undefined) => void,
): Promise<Session> {
  const endpoint = parseEndpointUrl(settings.url)
  if (settings.command.length > 0) await assertPortIsFree(endpoint, io)
  const requests = trackRequests(createTransport(io.env).fetch)
  const { database, dataset, strict, params } = settings
  const emulator = createEmulator({
    database: database === ':memory:' ? database : resolve(io.cwd, database),
    dataset,
    projectDir: io.cwd,
    strict,
    ...(settings.accessToken !== undefined && { accessToken: settings.accessToken }),
    fetch: requests.fetch,
  })
  if (Object.keys(params).length > 0) {
    emulator.presets.add({ name: 'From the command line', params, source: 'command' })
  }
  let workspace: string
  try {
    workspace = `${await listenOnPort(emulator, settings.port)}/`
  } catch (error) {
    await emulator.close()
    throw error
  }
  const reporter = createReporter(io, settings.json)
  const advice = settings.once ? undefined : 'Save a file to start it again.'
  const monitor = createCommandMonitor({ settings, endpoint, io, emulator, reporter, advice })
  const command = createDevCommand({
    endpoint,
    reloadsItself: reloadsItself(settings.command),
    onExit(reason) {
      if (reason !== undefined) monitor.commandExited(reason)
      onExit(reason)
    },
    start: settings.command.length === 0 ? undefined : startCommand,
  })

  function startCommand() {
    const { cwd, env, color } = io
    const port = isLoopback(endpoint.hostname) ? portOf(endpoint) : ''
    const variables = {
      SIDECARD_API_URL: emulator.url,
      SIDECARD_API_TOKEN: emulator.accessToken,
      [DEV_VARIABLE]: '1',
    }
    monitor.commandStarts()
    return startDevServer(withWorkerVariables(settings.command, port, variables), {
      cwd,
      env: {
        ...env,
        ...variables,
        ...(port !== '' && { PORT: port }),
        // The output goes through a pipe, so the command cannot detect that there is a terminal.
        ...(color && !env['FORCE_COLOR'] && { FORCE_COLOR: '1' }),
      },
      onOutput: (chunk) => {
        // With --json, standard output only contains events.
        io[settings.json ? 'stderr' : chunk.stream].write(chunk.text)
        monitor.append(chunk)
      },
    })
  }

  return {
    settings,
    io,
    endpoint,
    emulator,
    workspace,
    requests,
    reporter,
    monitor,
    command,
    async [Symbol.asyncDispose]() {
      monitor.stop()
      await command.stop()
      await emulator.close()
    },
  }
}
