import { basename } from 'node:path'
import { formatSummary } from '../../check/reporters/verdict-text.ts'
import type { AppView, CheckSummary } from '../../emulator/protocol/workspace.ts'
import type { CliContext } from '../io.ts'
import { formatCodeFrame } from './code-frame.ts'
import type { CommandFailure } from './command-failure.ts'
import { describe, isFailed, type LoadReport, toFailureReport } from './describe-load.ts'
import type { Terminal } from './terminal.ts'

/** Why and where the dev command failed. */
export interface CommandProblem extends CommandFailure {
  readonly message: string
  /** The fix, if it is known. */
  readonly hint: string | undefined
}

/** Prints the events of `sidecard dev`, for people or as lines of JSON. */
export interface DevReporter {
  workspace(url: string): void
  tunnel(url: string): void
  connected(app: AppView): void
  /** A data fetch after a save, or one that failed. */
  loaded(report: LoadReport): void
  /** A check that the workspace ran. */
  checked(app: string, report: CheckSummary): void
  commandFailed(problem: CommandProblem): void
  warn(message: string): void
}

/** @param json whether standard output receives lines of JSON and nothing else */
export function createReporter(
  io: CliContext,
  json: boolean,
  terminal: Terminal,
  isOneApp: boolean,
): DevReporter {
  return json ? createJsonReporter(io) : createTextReporter(io, terminal, isOneApp)
}

const VERDICTS = {
  reloaded: ['reloaded', 'green'],
  fetched: ['fetched', 'cyan'],
  unchanged: ['no new code', 'yellow'],
} as const

function createTextReporter(io: CliContext, terminal: Terminal, isOneApp: boolean): DevReporter {
  const { palette } = io
  const print = (text: string) => terminal.write('stdout', `${text}\n`)
  const fail = (text: string) => terminal.write('stderr', text)

  /** A failure: what it is about, its message, its place, and its code or other details. */
  function failed(
    about: readonly (string | undefined)[],
    message: string,
    location: CommandFailure['location'] | null,
    details = '',
  ): void {
    const place = location == null ? undefined : `${location.file}:${location.line}`
    if (terminal.isInteractive) terminal.event('failed', 'red', [...about, message, place])
    else fail(`sidecard dev: ${[message, place].filter(Boolean).join(' at ')}\n`)
    const frame = location == null ? '' : formatCodeFrame(location, io)
    // The frame shows what the output says, which a person has seen.
    const isEnough = frame !== '' && terminal.isInteractive
    fail(`${isEnough ? '' : details.replaceAll(/^(?=.)/gm, '  ')}${frame}`)
  }

  return {
    warn(message) {
      if (terminal.isInteractive) terminal.event('note', 'yellow', [message])
      else fail(`sidecard dev: ${message}\n`)
    },
    workspace: (url) => print(`${palette.bold('Workspace')}  ${palette.cyan(url)}`),
    tunnel: (url) => print(`${palette.bold('Tunnel to')}  ${palette.cyan(url)}`),
    connected({ name, url, lastHandshake, state }) {
      const result = lastHandshake?.result
      if (result === undefined || result.ok) {
        return terminal.event(state, 'green', [`${name} at ${url}`])
      }
      terminal.event(state, 'red', [`${name} at ${url}: ${result.message}`])
      print(`            ${result.fix}`)
    },
    loaded({ verdict, files, app, customer, durationMs, load, isRequested }) {
      const about = [isOneApp ? undefined : app, list(files), customer ?? undefined]
      const { outcome, failures, message, fix } = load
      if (!isFailed(load) || isRequested) {
        const [name, tone] = VERDICTS[verdict]
        const parts = [outcome.replaceAll('_', ' '), `${durationMs} ms`]
        return terminal.event(name, tone, [...about, ...parts])
      }
      for (const failure of failures) {
        failed(about, describe(failure), failure.error?.location)
      }
      if (failures.length === 0) failed(about, `${message.replace(/\.$/, '')}. ${fix}`, null)
    },
    checked(app, { verdict, summary, durationMs }) {
      const tone = { conforms: 'green', violates: 'red', not_proven: 'yellow' } as const
      const counts = formatSummary({ summary })
      const what = [isOneApp ? undefined : app, verdict.replace('_', ' '), counts]
      terminal.event('checked', tone[verdict], [...what, `${durationMs} ms`])
    },
    commandFailed({ message, location, excerpt, hint }) {
      const headline = terminal.isInteractive ? findHeadline(excerpt) : undefined
      const about = headline === undefined ? [] : [headline]
      failed(about, message, location, excerpt === '' ? '' : `${excerpt}\n`)
      if (hint !== undefined) fail(`${hint}\n`)
    },
  }
}

/** Returns the line of an excerpt that says what the error is. */
function findHeadline(excerpt: string): string | undefined {
  const line = excerpt
    .split('\n')
    .filter((each) => !/Build failed|failed to start/.test(each))
    .find((each) => /(?:Error|Exception)\b.*:|\[ERROR\]/.test(each))
  return line?.replace(/^.*\[ERROR\] (?:service \S+ )?| \[ERR_\w+\]/g, '').trim()
}

function createJsonReporter({ stdout, stderr }: CliContext): DevReporter {
  const print = (event: object) => void stdout.write(`${JSON.stringify(event)}\n`)
  let workspace = ''
  return {
    warn: (message) => void stderr.write(`sidecard dev: ${message}\n`),
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
    loaded({ verdict, load, isRequested, ...report }) {
      const { outcome, message, fix } = load
      const result = { ...report, outcome, failures: load.failures.map(toFailureReport) }
      if (!isFailed(load) || isRequested) print({ event: verdict, ...result })
      else print({ event: 'failed', cause: 'data', message, fix, ...result })
    },
    checked: (app, report) => print({ event: 'checked', app, ...report }),
    commandFailed({ message, location, excerpt, hint = '' }) {
      const place = location ?? { file: null, line: null, column: null }
      print({ event: 'failed', cause: 'command', message, fix: hint, ...place, output: excerpt })
    },
  }
}

const MAX_LISTED = 3

function list(files: readonly string[]): string {
  const names = files.map((file) => basename(file))
  const isClear = new Set(names).size === names.length
  const shown = (isClear ? names : files).slice(0, MAX_LISTED).join(', ')
  return files.length > MAX_LISTED ? `${shown} and ${files.length - MAX_LISTED} more` : shown
}
