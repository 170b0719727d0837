import { createEmulator } from '../../emulator/emulator.ts'
import type { CliContext } from '../io.ts'
import { createOwnTransport } from '../server/port-owner.ts'
import { assertPortIsFree } from '../server/free-port.ts'
import { listenOnPort } from './ports.ts'
import { createReporter } from './reporter.ts'
import type { DevSettings } from './settings.ts'
import { createTerminal } from './terminal.ts'
import { trackTraffic } from './traffic.ts'

/** The state that the parts of `sidecard dev` share. */
export interface Session extends Awaited<ReturnType<typeof openSession>> {}

/** Returns a URL with the first name of this machine that the command line allows. */
function nameUrl(url: string, port: number, { listen: { allowHosts = [] } }: DevSettings): string {
  return allowHosts[0] === undefined ? url : `http://${allowHosts[0]}:${port}`
}

/**
 * Starts the emulator.
 *
 * @param signal ends the session
 * @throws {SidecardError} `usage`, `port_in_use`, or an error of `createEmulator()`
 */
export async function openSession(settings: DevSettings, io: CliContext, signal: AbortSignal) {
  for (const { apps, command } of settings.servers) {
    // oxlint-disable-next-line no-await-in-loop -- the first error is enough
    if (command.length > 0) await assertPortIsFree(apps[0].url, io)
  }
  const send = createOwnTransport(io)
  const traffic = trackTraffic(send)
  const project = settings.readProject()
  const { fetch } = traffic
  const emulator = createEmulator({ ...settings.emulator, projectDir: io.cwd, project, fetch })
  const ending = new AbortController()
  const end = () => ending.abort()
  const closers: (() => unknown)[] = [() => emulator.close()]

  async function close(): Promise<void> {
    end()
    for (const closer of closers.toReversed()) {
      // oxlint-disable-next-line no-await-in-loop -- in the reverse order of their start
      await closer()
    }
  }

  const { url, token, port } = await listenOnPort(emulator, settings).catch(
    async (error: unknown) => {
      await close()
      throw error
    },
  )
  const terminal = createTerminal(io, () => traffic.causesOutput(), settings.json)
  return {
    settings,
    io,
    emulator,
    /** The project at the start. */
    project,
    /** The URL of the workspace. */
    workspace: `${url}/`,
    /** The URL that a person opens. From the network, it needs a token. */
    page: token === undefined ? `${url}/` : `${nameUrl(url, port, settings)}/?token=${token}`,
    /** Sends a request that the session does not track. */
    send,
    traffic,
    terminal,
    reporter: createReporter(io, settings, terminal),
    /** Aborts at the end of the session. */
    over: AbortSignal.any([signal, ending.signal]),
    end,
    /** Runs a function at the end, before those that were added earlier. */
    defer: (closer: () => unknown) => void closers.push(closer),
    [Symbol.asyncDispose]: close,
  }
}
