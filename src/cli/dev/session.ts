import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { DEV_VARIABLE } from '../../internal/headers.ts'
import { isLoopback } from '../../internal/is-loopback.ts'
import type { Project } from '../../project/index.ts'
import type { CliContext } from '../io.ts'
import { createTransport } from '../transport/transport.ts'
import { createCommandMonitor, type CommandMonitor } from './command-monitor.ts'
import { createDevCommand, type DevCommand } from './dev-command.ts'
import { startDevServer } from './dev-server.ts'
import { reloadsItself, withWorkerVariables } from './known-commands.ts'
import { assertPortIsFree, listenOnPort, portOf } from './ports.ts'
import { createReporter, type DevReporter } from './reporter.ts'
import type { DevServerSettings, DevSettings } from './settings.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import { type Traffic, trackTraffic } from './traffic.ts'

/** The server of one or several apps, and the command that starts it. */
export interface AppServer extends DevServerSettings {
  /** The URL of the first app. */
  readonly endpoint: URL
  readonly monitor: CommandMonitor
  readonly process: DevCommand
}

/** The parts of `sidecard dev`: the emulator, and the servers of the apps. */
export interface Session {
  readonly settings: DevSettings
  readonly io: CliContext
  readonly servers: readonly AppServer[]
  readonly emulator: Emulator
  /** The project at the start. */
  readonly project: Project
  /** The URL of the workspace. */
  readonly workspace: string
  readonly traffic: Traffic
  readonly terminal: Terminal
  readonly reporter: DevReporter
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the emulator, and prepares the commands of the servers.
 *
 * @param onExit called when a command exits by itself: with the reason, or `undefined` for exit code 0
 * @throws {SidecardError} `usage`, `port_in_use`, or an error of `createEmulator()`
 */
export async function openSession(
  settings: DevSettings,
  io: CliContext,
  onExit: (reason: string | undefined) => void,
): Promise<Session> {
  for (const { apps, command } of settings.servers) {
    // oxlint-disable-next-line no-await-in-loop -- the first error is enough
    if (command.length > 0) await assertPortIsFree(apps[0].url, io)
  }
  const traffic = trackTraffic(createTransport(io.env).fetch)
  const { database, dataset, strict } = settings
  const project = settings.readProject()
  const emulator = createEmulator({
    database,
    dataset,
    projectDir: io.cwd,
    project,
    saveToProject: settings.saveToProject,
    strict,
    ...(settings.accessToken !== undefined && { accessToken: settings.accessToken }),
    fetch: traffic.fetch,
  })
  let workspace: string
  try {
    workspace = `${await listenOnPort(emulator, settings.port)}/`
  } catch (error) {
    await emulator.close()
    throw error
  }
  const terminal = createTerminal(io, () => traffic.causesOutput())
  const isOneApp = settings.servers.flatMap(({ apps }) => apps).length === 1
  const reporter = createReporter(io, settings.json, terminal, isOneApp)
  const advice = settings.once ? undefined : 'Save a file to start it again.'
  const servers = settings.servers.map(createServer)

  function createServer(server: DevServerSettings): AppServer {
    const endpoint = server.apps[0].url
    const { command } = server
    const monitor = createCommandMonitor({
      command,
      endpoint,
      io,
      emulator,
      reporter,
      advice,
      isOwnOutput: () => traffic.causesOutput(),
      print(stream, text) {
        // With --json, standard output only contains events.
        if (settings.json) io.stderr.write(text)
        else terminal.output(stream, text)
      },
    })
    const process = createDevCommand({
      endpoint,
      reloadsItself: reloadsItself(command),
      onEnd: () => monitor.commandEnded(),
      onExit(reason) {
        if (reason !== undefined) monitor.commandExited(reason)
        onExit(reason)
      },
      start: command.length === 0 ? undefined : () => startCommand(command, endpoint, monitor),
    })
    return { ...server, endpoint, monitor, process }
  }

  function startCommand(command: readonly string[], endpoint: URL, monitor: CommandMonitor) {
    const { cwd, env, color } = io
    const port = isLoopback(endpoint.hostname) ? portOf(endpoint) : ''
    const variables = {
      SIDECARD_API_URL: emulator.url,
      SIDECARD_API_TOKEN: emulator.accessToken,
      [DEV_VARIABLE]: '1',
      ...settings.generated,
    }
    monitor.commandStarts()
    return startDevServer(withWorkerVariables(command, port, variables), {
      cwd,
      env: {
        ...env,
        ...variables,
        ...(port !== '' && { PORT: port }),
        // The output goes through a pipe, so the command cannot detect that there is a terminal.
        ...(color && !env['FORCE_COLOR'] && { FORCE_COLOR: '1' }),
      },
      onOutput: (chunk) => monitor.append(chunk),
    })
  }

  return {
    settings,
    io,
    servers,
    emulator,
    project,
    workspace,
    traffic,
    terminal,
    reporter,
    async [Symbol.asyncDispose]() {
      for (const { monitor } of servers) monitor.stop()
      await Promise.all(servers.map((server) => server.process.stop()))
      await emulator.close()
    },
  }
}
