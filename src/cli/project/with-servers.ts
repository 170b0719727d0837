import { once } from 'node:events'
import { EXIT_CODES } from '../exit-codes.ts'
import { withInterruptSignal } from '../interruption.ts'
import type { CliContext } from '../io.ts'
import { createMissingSecrets, type Secrets } from './app-headers.ts'
import type { SelectedApp } from './select-apps.ts'
import { needsServer, startServer } from './start-server.ts'

/** An app with its secrets, and its server if the command started it. */
export interface OpenedApp {
  readonly secrets: Secrets
  /** The reason why its server does not listen, if it does not. */
  readonly problem: string | undefined
  /** The last output of its server. */
  readonly lastOutput: () => string
}

/**
 * Runs an action that can start the servers of apps. The servers end with the
 * action, even if a signal interrupts it. A server whose secret is not configured
 * gets a random one.
 *
 * @returns the exit code of the action, or 130
 */
export function withServers(
  folder: string,
  io: CliContext,
  action: (open: (app: SelectedApp) => Promise<OpenedApp>) => Promise<number>,
): Promise<number> {
  return withInterruptSignal(async (signal) => {
    const servers: Array<ReturnType<typeof startServer>> = []
    let generated: Readonly<Record<string, string>> = {}

    async function open(app: SelectedApp): Promise<OpenedApp> {
      const secrets = () => ({ folder, env: { ...io.env, ...generated }, generated })
      if (!(await needsServer(app))) {
        return { secrets: secrets(), problem: undefined, lastOutput: () => '' }
      }
      io.stderr.write(`Starting ${app.command} (${app.origin}).\n`)
      generated = { ...generated, ...createMissingSecrets(app, secrets()) }
      const server = startServer(app, folder, generated, io, signal)
      servers.push(server)
      const problem = await server.findProblem()
      return { secrets: secrets(), problem, lastOutput: server.lastOutput }
    }

    const interrupted = once(signal, 'abort').then(() => EXIT_CODES.interrupted)
    try {
      return await Promise.race([action(open), interrupted])
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  })
}
