import { once } from 'node:events'
import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import { lastLines } from '../server/command-failure.ts'
import { type DevServer, startDevServer } from '../server/dev-server.ts'
import { waitForEndpoint } from '../server/listening.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { withInterruptSignal } from '../interruption.ts'
import type { CliContext } from '../io.ts'
import { createMissingSecrets, type Secrets } from './app-headers.ts'
import type { SelectedApp } from './select-apps.ts'
import { needsServer, readCommand } from './server-command.ts'

/** An app with its secrets, and its server if the command started it. */
export interface OpenedApp {
  readonly secrets: Secrets
  /** The reason why its server does not listen, if it does not. */
  readonly problem?: string | undefined
  /** Returns the last output of its server. */
  readonly lastOutput: () => string
}

/** How long a server may take to start, for example to install or compile something. */
const START_TIMEOUT_MS = 60_000

/**
 * Runs an action that can start the servers of apps, each of which may take 60
 * seconds until it listens. The servers end with the action, even if a signal
 * interrupts it. A server whose secret is not configured gets a random one.
 *
 * @returns the exit code of the action, or 130
 */
export function withServers(
  folder: string,
  io: CliContext,
  action: (open: (app: SelectedApp) => Promise<OpenedApp>) => Promise<number>,
): Promise<number> {
  return withInterruptSignal(async (signal) => {
    const servers: DevServer[] = []
    let generated: Readonly<Record<string, string>> = {}

    async function open(app: SelectedApp): Promise<OpenedApp> {
      const secrets = () => ({ folder, env: { ...io.env, ...generated }, generated })
      const { command = '', url, origin } = app
      if (!(await needsServer(app, { ...io, cwd: folder }))) {
        if (command !== '' && isLoopback(url.hostname)) {
          const reason = `A server listens at ${url.origin}`
          io.stderr.write(`${reason}, so ${command} (${origin}) is not started.\n`)
        }
        return { secrets: secrets(), lastOutput: () => '' }
      }
      io.stderr.write(`Starting ${command} (${origin}).\n`)
      generated = { ...generated, ...createMissingSecrets(app, secrets()) }
      let output = ''
      const server = startDevServer(readCommand(command, folder), {
        url,
        cwd: folder,
        env: io.env,
        variables: generated,
        onOutput: (text) => (output = (output + text).slice(-20_000)),
      })
      servers.push(server)
      const ended = new AbortController()
      void server.ended.then((reason = 'exit code 0') => ended.abort(reason))
      const isOver = AbortSignal.any([signal, ended.signal])
      const lastOutput = () => lastLines(output)
      const opened = { secrets: secrets(), lastOutput }
      if ((await waitForEndpoint(url, START_TIMEOUT_MS, isOver)) || signal.aborted) return opened
      const reason = ended.signal.aborted
        ? `ended (${String(ended.signal.reason)})`
        : `does not listen at ${url.origin} after ${START_TIMEOUT_MS / 1_000} s`
      return { ...opened, problem: `${command} ${reason}.\n${lastOutput()}`.trimEnd() }
    }

    const interrupted = once(signal, 'abort').then(() => EXIT_CODES.interrupted)
    try {
      return await Promise.race([action(open), interrupted])
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  })
}
