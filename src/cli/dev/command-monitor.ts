import type { Emulator } from '../../emulator/emulator.ts'
import type { CliContext } from '../io.ts'
import {
  findCommandFailure,
  lastLines,
  missingPackagesHint,
  reportsBuildFailure,
} from './command-failure.ts'
import type { OutputChunk } from './dev-server.ts'
import { isListening } from './listening.ts'
import { createOutputLog } from './output-log.ts'

/** The parts of a session that a monitor uses. */
export interface CommandMonitorOptions {
  readonly settings: { readonly url: string; readonly command: readonly string[] }
  readonly endpoint: URL
  readonly io: CliContext
  /** Shows the output and the state of the command in the workspace. */
  readonly emulator: Pick<Emulator, 'console' | 'devServer'>
}

/** Follows the dev command and reports its failures. */
export interface CommandMonitor {
  append(chunk: OutputChunk): void
  /** When the newest output arrived, in milliseconds of `performance.now()`. */
  readonly lastOutputAt: number
  /** Handles a change of the source: earlier errors in the output no longer count. */
  sourceChanged(): void
  endpointListens(): void
  /** Handles an endpoint that did not listen again after a change. */
  endpointAway(): void
  commandExited(reason: string): void
  /** Prints once why the workspace is still waiting. */
  hintThatNothingListens(): void
  stop(): void
}

/** How long the endpoint may take to listen after an error in the output. */
const ERROR_DELAY_MS = 500

/** Creates a monitor. Without a command, it only prints hints. */
export function createCommandMonitor({
  settings: { url, command },
  endpoint,
  io,
  emulator,
}: CommandMonitorOptions): CommandMonitor {
  const output = createOutputLog((stream, text) => emulator.console.append({ stream, text }))
  const hasCommand = command.length > 0
  let since = 0
  let reported: string | undefined
  let timer: NodeJS.Timeout | undefined
  if (hasCommand) setState('starting')

  function setState(state: 'starting' | 'running'): void {
    emulator.devServer.set({ state, message: '', location: null, excerpt: '' })
  }

  /** @returns whether the output has an error */
  function reportFailure(reason: string | undefined): boolean {
    const text = output.text(since)
    const failure = findCommandFailure(text, io.cwd)
    if (failure === undefined && reason === undefined) return false
    const { location, excerpt } = failure ?? { location: undefined, excerpt: lastLines(text) }
    const message = `your command failed${reason === undefined ? '' : ` (${reason})`}`
    const hint = missingPackagesHint(io.cwd)
    const key = `${reason}\n${excerpt}`
    if (key === reported) return true
    reported = key
    const place = location === undefined ? '' : ` at ${location.file}:${location.line}`
    const shown = excerpt === '' ? '' : `\n${excerpt.replaceAll(/^/gm, '  ')}`
    const advice = hint === undefined ? '' : `\n${hint}`
    io.stderr.write(`sidecard dev: ${message}${place}${shown}${advice}\n`)
    emulator.devServer.set({
      state: 'failed',
      message: hint === undefined ? message : `${message}. ${hint}`,
      location: location ?? null,
      excerpt,
    })
    return true
  }

  /**
   * A command in watch mode outlives the server that it runs, so its output is
   * the only sign of a crash.
   */
  async function lookForFailure(): Promise<void> {
    if (reportsBuildFailure(output.text(since)) || !(await isListening(endpoint))) {
      reportFailure(undefined)
    }
  }

  return {
    append(chunk) {
      output.append(chunk)
      clearTimeout(timer)
      timer = setTimeout(() => void lookForFailure(), ERROR_DELAY_MS)
    },
    get lastOutputAt() {
      return output.lastAt
    },
    sourceChanged() {
      since = output.position
      reported = undefined
    },
    endpointListens() {
      if (hasCommand && !reportsBuildFailure(output.text(since))) setState('running')
    },
    endpointAway() {
      if (hasCommand) reportFailure(undefined)
    },
    commandExited(reason) {
      reportFailure(reason)
    },
    hintThatNothingListens() {
      if (hasCommand && reportFailure(undefined)) return
      const hint = hasCommand
        ? `The command is running but does not listen there; check that its port matches --url.`
        : `Start your server there, let sidecard start it (sidecard dev -- node src/server.ts), or pass its URL with --url.`
      io.stderr.write(`sidecard dev: cannot reach ${url}. ${hint} Still waiting.\n`)
    },
    stop: () => clearTimeout(timer),
  }
}
