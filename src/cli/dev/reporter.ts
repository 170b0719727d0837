import type { AppView } from '../../emulator/protocol/workspace.ts'
import type { CliContext } from '../io.ts'
import type { CommandFailure } from './command-failure.ts'
import { describe, isFailed, toFailureReport } from './describe-load.ts'
import type { LoadReport } from './load-reports.ts'

/** Why and where the dev command failed. */
export interface CommandProblem extends CommandFailure {
  readonly message: string
  /** What to do, if it is known. */
  readonly hint: string | undefined
}

/** Prints the events of `sidecard dev`, for people or as lines of JSON. */
export interface DevReporter {
  workspace(url: string): void
  tunnel(url: string): void
  connected(app: AppView): void
  /** A data fetch after a save. */
  loaded(report: LoadReport): void
  commandFailed(problem: CommandProblem): void
  warn(message: string): void
}

/** @param json whether standard output receives lines of JSON and nothing else */
export function createReporter(io: CliContext, json: boolean): DevReporter {
  const warn = (message: string) => void io.stderr.write(`sidecard dev: ${message}\n`)
  return json ? createJsonReporter(io, warn) : createTextReporter(io, warn)
}

function createTextReporter(
  { stdout, stderr, palette }: CliContext,
  warn: DevReporter['warn'],
): DevReporter {
  const print = (line: string) => void stdout.write(`${line}\n`)
  return {
    warn,
    workspace: (url) => print(`${palette.bold('Workspace')}  ${palette.cyan(url)}`),
    tunnel: (url) => print(`${palette.bold('Tunnel to')}  ${palette.cyan(url)}`),
    connected({ name, url, lastHandshake, state }) {
      const result = lastHandshake?.result
      if (result === undefined || result.ok) {
        print(`${palette.green(state)}  ${name} at ${url}`)
        return
      }
      print(`${palette.red(state)}  ${name} at ${url}: ${result.message}`)
      print(`            ${result.fix}`)
    },
    loaded({ verdict, files, load }) {
      if (!isFailed(load)) {
        const result = load.outcome === 'rendered' ? '' : ` (${load.outcome})`
        print(`${palette.green(VERDICTS[verdict].padEnd(13))}${list(files)}${result}`)
        return
      }
      for (const failure of load.failures) warn(describe(failure))
      if (load.failures.length === 0) warn(`${load.message.replace(/\.$/, '')}. ${load.fix}`)
    },
    commandFailed({ message, location, excerpt, hint }) {
      const place = location === undefined ? '' : ` at ${location.file}:${location.line}`
      const shown = excerpt === '' ? '' : `\n${excerpt.replaceAll(/^/gm, '  ')}`
      const advice = hint === undefined ? '' : `\n${hint}`
      stderr.write(`sidecard dev: ${message}${place}${shown}${advice}\n`)
    },
  }
}

function createJsonReporter({ stdout }: CliContext, warn: DevReporter['warn']): DevReporter {
  const print = (event: object) => void stdout.write(`${JSON.stringify(event)}\n`)
  let workspace = ''
  return {
    warn,
    workspace: (url) => (workspace = url),
    tunnel: (url) => print({ event: 'tunnel', url }),
    connected({ name, url, lastHandshake, state }) {
      const result = lastHandshake?.result
      if (result === undefined || result.ok) print({ event: 'ready', workspace, name, url, state })
      else {
        const { message, fix } = result
        print({ event: 'failed', cause: 'handshake', message, fix })
      }
    },
    loaded({ verdict, files, app, customer, durationMs, load }) {
      const { outcome, message, fix } = load
      const failures = load.failures.map(toFailureReport)
      const result = { files, app, customer, outcome, durationMs, failures }
      if (!isFailed(load)) print({ event: verdict, ...result })
      else print({ event: 'failed', cause: 'data', message, fix, ...result })
    },
    commandFailed({ message, location, excerpt, hint = '' }) {
      const place = location ?? { file: null, line: null, column: null }
      print({ event: 'failed', cause: 'command', message, fix: hint, ...place, output: excerpt })
    },
  }
}

const VERDICTS = { reloaded: 'reloaded', fetched: 'fetched', unchanged: 'no new code' } as const

const MAX_LISTED = 3

function list(files: readonly string[]): string {
  const shown = files.slice(0, MAX_LISTED).join(', ')
  return files.length > MAX_LISTED ? `${shown} and ${files.length - MAX_LISTED} more` : shown
}
