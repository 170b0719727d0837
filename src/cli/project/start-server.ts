import { isLoopback } from '../../internal/is-loopback.ts'
import { lastLines } from '../dev/command-failure.ts'
import { startDevServer } from '../dev/dev-server.ts'
import { isListening, waitForEndpoint } from '../dev/listening.ts'
import type { CliContext } from '../io.ts'
import { readManifest } from '../read-manifest.ts'
import type { SelectedApp } from './select-apps.ts'

/** How long a server may take to start, for example to install or compile something. */
const START_TIMEOUT_MS = 60_000

/** Returns whether an app's command may be started: on this machine, where nothing listens. */
export async function needsServer({ command, url }: SelectedApp): Promise<boolean> {
  return command !== undefined && isLoopback(url.hostname) && !(await isListening(url))
}

/**
 * Starts the command of an app. It may take 60 seconds until it listens.
 *
 * @throws {SidecardError} `usage` or `command_missing`
 */
export function startServer(
  { command = '', url }: SelectedApp,
  folder: string,
  variables: Readonly<Record<string, string>>,
  { env }: Pick<CliContext, 'env'>,
  signal: AbortSignal,
) {
  let output = ''
  const server = startDevServer(readCommand(command, folder), {
    url,
    cwd: folder,
    env,
    variables,
    onOutput: ({ text }) => (output = (output + text).slice(-20_000)),
  })
  const ended = new AbortController()
  void server.ended.then((reason = 'exit code 0') => ended.abort(reason))
  const isOver = AbortSignal.any([signal, ended.signal])
  const lastOutput = () => lastLines(output)

  /** Resolves when the server listens, or to the reason why it does not, with its last output. */
  async function findProblem(): Promise<string | undefined> {
    if ((await waitForEndpoint(url, START_TIMEOUT_MS, isOver)) || signal.aborted) return undefined
    const reason = ended.signal.aborted
      ? `ended (${String(ended.signal.reason)})`
      : `does not listen at ${url.origin} after ${START_TIMEOUT_MS / 1_000} s`
    return `${command} ${reason}.\n${lastOutput()}`.trimEnd()
  }

  return { findProblem, lastOutput, stop: () => server.stop() }
}

/**
 * Splits a command at spaces. An npm script that only runs `wrangler dev` or Node
 * is replaced by its text: a Worker gets its variables as options, and npm takes a
 * third of a second of each restart.
 */
export function readCommand(command: string, folder: string): readonly string[] {
  const words = command.trim().split(/\s+/)
  const [, script] = /^(?:npm|pnpm|yarn|bun)(?: run)? ([\w:-]+)$/.exec(words.join(' ')) ?? []
  if (script === undefined) return words
  const { [script]: text = '', [`pre${script}`]: before } = readManifest(folder).scripts ?? {}
  const isPlain = /^(?:wrangler dev|node)(?: [^"'`$\\|&;<>*?~]*)?$/.test(text)
  return isPlain && before === undefined ? text.split(/\s+/) : words
}
