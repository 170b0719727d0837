import type { Emulator } from '../../emulator/emulator.ts'
import type { CliContext } from '../io.ts'
import {
  findCommandFailure,
  lastLines,
  missingPackagesHint,
  reportsBuildFailure,
} from './command-failure.ts'
import { createBundleMap } from './bundle-map.ts'
import type { OutputChunk } from './dev-server.ts'
import { isListening } from './listening.ts'
import { createOutputLog, type OnLines } from './output-log.ts'
import type { CommandProblem, DevReporter } from './reporter.ts'

/** The parts of a session that a monitor uses. */
export interface CommandMonitorOptions {
  readonly command: readonly string[]
  readonly endpoint: URL
  readonly io: CliContext
  readonly reporter: Pick<DevReporter, 'commandFailed' | 'warn'>
  /** The advice after the command has exited. */
  readonly advice: string | undefined
  /** Returns whether the output may be about a request of the emulator. */
  readonly isOwnOutput: () => boolean
  /** Prints complete lines of the output. */
  readonly print: OnLines
  /** Shows the output and the state of the command in the workspace. */
  readonly emulator: Pick<Emulator, 'console' | 'devServer'>
}

/** Follows the dev command and reports its failures. */
export interface CommandMonitor {
  append(chunk: OutputChunk): void
  /**
   * When the newest output arrived that is not about a request, in milliseconds of
   * `performance.now()`.
   */
  readonly lastOutputAt: number
  /** Whether the server responded after its start and did not fail since. */
  readonly isRunning: boolean
  /** Whether a failure was reported after the newest change, or will be. */
  readonly hasFailed: boolean
  /** Handles a change of the source: earlier errors in the output no longer count. */
  sourceChanged(): void
  /** Handles the start of the command. */
  commandStarts(): void
  endpointListens(): void
  /** Handles an endpoint that does not listen again after a change. */
  endpointAway(): void
  /** Handles an endpoint that does not respond in time after a change. */
  doesNotRespond(): void
  /** Handles the end of the command, and then the reason, if it failed. */
  commandEnded(): void
  commandExited(reason: string): void
  /** Prints once why the workspace is still waiting. */
  hintThatNothingListens(): void
  stop(): void
}

/** How long the endpoint may take to listen after an error in the output. */
const ERROR_DELAY_MS = 500

/** Creates a monitor. Without a command, it only prints hints. */
export function createCommandMonitor({
  command,
  endpoint,
  io,
  reporter,
  advice,
  emulator,
  isOwnOutput,
  print,
}: CommandMonitorOptions): CommandMonitor {
  const output = createOutputLog((stream, text) => {
    emulator.console.append({ stream, text })
    // A check sends many requests, most of them invalid, and is one event.
    const isOfCheck = emulator.console.list().at(-1)?.isOfCheck === true
    if (!isOfCheck) print(stream, bundle.toSource(text))
  })
  const bundle = createBundleMap(io.cwd)
  const hasCommand = command.length > 0
  const newOutput = () => bundle.toSource(output.text(since))
  let isStopped = false
  let isRunning = false
  let lastOutputAt = -Infinity
  let since = 0
  let reported: string | undefined
  let timer: NodeJS.Timeout | undefined

  function setState(state: 'starting' | 'running'): void {
    isRunning = state === 'running'
    const { current } = emulator.devServer
    // During a restart, the page keeps what it shows.
    if (current?.state === state || (state === 'starting' && current?.state === 'running')) return
    emulator.devServer.set({ state, message: '', location: null, excerpt: '' })
  }

  function fail(problem: Omit<CommandProblem, 'hint'>, hint: string | undefined): void {
    const { message, location, excerpt } = problem
    reported = excerpt
    isRunning = false
    reporter.commandFailed({ ...problem, hint })
    emulator.devServer.set({
      state: 'failed',
      message: hint === undefined ? message : `${message}. ${hint}`,
      location: location ?? null,
      excerpt,
    })
  }

  function sourceChanged(): void {
    since = output.position
    reported = undefined
  }

  /** @returns whether the output has an error */
  function reportFailure(reason: string | undefined): boolean {
    const text = newOutput()
    const failure = findCommandFailure(text, io.cwd)
    if (failure === undefined && reason === undefined) return false
    const { location, excerpt } = failure ?? { location: undefined, excerpt: lastLines(text) }
    // A crash may be noticed in the output before the command exits.
    if (excerpt === reported) return true
    const message = `your command failed${reason === undefined ? '' : ` (${reason})`}`
    const hint = missingPackagesHint(io.cwd) ?? (reason === undefined ? undefined : advice)
    fail({ message, location, excerpt }, hint)
    return true
  }

  /**
   * A command in watch mode outlives the server that it runs, so its output is
   * the only sign of a crash.
   */
  async function lookForFailure(): Promise<void> {
    if (reportsBuildFailure(newOutput()) || !(await isListening(endpoint))) {
      reportFailure(undefined)
    }
  }

  return {
    append(chunk) {
      output.append(chunk)
      if (!isOwnOutput()) lastOutputAt = performance.now()
      bundle.refresh()
      clearTimeout(timer)
      if (!isStopped) timer = setTimeout(() => void lookForFailure(), ERROR_DELAY_MS)
    },
    get lastOutputAt() {
      return lastOutputAt
    },
    get isRunning() {
      return isRunning
    },
    get hasFailed() {
      return reported !== undefined || reportsBuildFailure(newOutput())
    },
    sourceChanged,
    commandStarts() {
      sourceChanged()
      setState('starting')
    },
    endpointListens() {
      if (hasCommand && !reportsBuildFailure(newOutput())) setState('running')
    },
    endpointAway() {
      if (hasCommand) reportFailure(undefined)
    },
    doesNotRespond() {
      if (reported !== undefined || (hasCommand && reportFailure(undefined))) return
      const message = 'your app does not respond since the save'
      const hint = 'Its code may wait for something while it loads.'
      if (!hasCommand) return reporter.warn(`${message}. ${hint}`)
      fail({ message, location: undefined, excerpt: '' }, hint)
    },
    commandEnded: () => output.end(),
    commandExited(reason) {
      reportFailure(reason)
    },
    hintThatNothingListens() {
      if (reported !== undefined || (hasCommand && reportFailure(undefined))) return
      const hint = hasCommand
        ? `The command is running but does not listen there. Its code may wait for something while it loads, or it may listen elsewhere: let it use the port in PORT, or pass its URL with --url.`
        : `Start your server there, let sidecard start it (sidecard dev -- node src/server.ts), or pass its URL with --url.`
      reporter.warn(`cannot reach ${endpoint.href}. ${hint} Still waiting.`)
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
