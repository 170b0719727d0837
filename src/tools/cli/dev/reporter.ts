import { basename } from 'node:path'
import { formatSummary } from '../../check/report/reporters/verdict-text.ts'
import type { ExchangeView } from '../../emulator/protocol/exchanges.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import type { AppView, CheckSummary } from '../../emulator/protocol/workspace.ts'
import { isSidecardError } from '../../../runtime/internal/errors.ts'
import { renderPayload } from '../../../runtime/render/index.ts'
import { isAsIntended } from '../../service/endpoint/as-intended.ts'
import { describeFailure } from '../../service/endpoint/endpoint-failures.ts'
import { describeOutcome } from '../../workspace/core/outcome.ts'
import { findHeadline } from '../../workspace/core/find-headline.ts'
import type { CliContext } from '../io.ts'
import { formatCodeFrame } from './code-frame.ts'
import type { CommandFailure } from '../server/command-failure.ts'
import type { DevSettings } from './settings.ts'
import type { Verdict } from './loop/loop-state.ts'
import type { Terminal, Tone } from './terminal.ts'

const VERDICTS = {
  reloaded: ['reloaded', 'green'],
  fetched: ['fetched', 'cyan'],
  unchanged: ['no new code', 'yellow'],
} as const satisfies Record<Verdict, readonly [name: string, tone: Tone]>

const CHECK_TONES = { conforms: 'green', violates: 'red', not_proven: 'yellow' } as const

/**
 * Prints the events of `sidecard dev`, for people or as lines of JSON. With JSON,
 * standard output receives nothing else.
 */
export function createReporter(io: CliContext, settings: DevSettings, terminal: Terminal) {
  const printer = createPrinter(io, settings, terminal)
  return {
    ...reportSession(printer, io, settings, terminal),
    ...reportResults(printer, io, settings, terminal),
  }
}

type Printer = ReturnType<typeof createPrinter>

/** Prints what happens to the session and to the command. */
function reportSession(
  { emit, warn, showFailure, isInteractive }: Printer,
  { palette }: CliContext,
  settings: DevSettings,
  terminal: Terminal,
) {
  let workspace = ''
  const print = (text: string) => terminal.write('stdout', `${text}\n`)
  const printUrl = (name: string, url: string) =>
    print(`${palette.bold(name)}  ${palette.cyan(url)}`)

  return {
    warn,
    /** Reports a user's mistake, such as an invalid file. Throws any other error. */
    warnOf(error: unknown): void {
      if (!isSidecardError(error)) throw error
      warn(error.message)
    },
    /** Prints the page, whose URL may have a token. Events have the URL without it. */
    workspace(urls: { readonly workspace: string; readonly page: string }): void {
      workspace = urls.workspace
      if (!settings.json) printUrl('Workspace', urls.page)
    },
    tunnel: (url: string) => emit({ event: 'tunnel', url }, () => printUrl('Tunnel to', url)),
    connected({ name, url, lastHandshake, state }: AppView): void {
      const result = lastHandshake?.result
      if (result === undefined || result.ok) {
        // With --once and --json, `opened` is the only event.
        if (settings.once && settings.json) return
        return emit({ event: 'ready', workspace, name, url, state }, () =>
          terminal.event(state, 'green', [`${name} at ${url}`]),
        )
      }
      const { message, fix } = result
      emit({ event: 'failed', cause: 'handshake', message, fix }, () => {
        terminal.event(state, 'red', [`${name} at ${url}: ${message}`])
        print(`            ${fix}`)
      })
    },
    /** Reports that new code has not answered for some time. */
    waiting(files: readonly string[], message: string, fix: string): void {
      emit({ event: 'waiting', files, message, fix }, () =>
        isInteractive
          ? terminal.event('waiting', 'yellow', [list(files), `${message}. ${fix}`])
          : warn(`${message}. ${fix}`),
      )
    },
    /** @param hint the next step; empty if it is not known */
    commandFailed(message: string, hint: string, { location, excerpt }: CommandFailure): void {
      const event = { event: 'failed', cause: 'command', message, fix: hint, location }
      emit({ ...event, output: excerpt }, () => {
        const about = isInteractive ? [findHeadline(excerpt)] : []
        // The command has printed the excerpt.
        showFailure(about, message, location, '', excerpt)
        if (hint !== '') terminal.write('stderr', `${hint}\n`)
      })
    },
  }
}

/** Prints the results of requests and checks. */
function reportResults(
  { emit, showFailure, showFailures, isOneApp }: Printer,
  io: CliContext,
  settings: DevSettings,
  terminal: Terminal,
) {
  return {
    /**
     * Reports a data fetch after a save, or one that failed.
     *
     * @param exception what the app printed about it
     */
    loaded(
      exchange: ExchangeView,
      verdict: Verdict,
      files: readonly string[],
      exception?: CommandFailure,
    ): void {
      const { appName: app, durationMs, outcome, failures, message, fix } = exchange
      const customer = exchange.state ?? exchange.customer
      const about = [isOneApp ? undefined : app, list(files), customer ?? undefined]
      const result = { files, app, customer, durationMs, outcome, failures }
      if (!isFailed(exchange)) {
        const [name, tone] = VERDICTS[verdict]
        const shown = isAsIntended(exchange) ? 'as intended' : outcome.replaceAll('_', ' ')
        const parts = [shown, `${durationMs} ms`]
        return emit({ event: verdict, ...result }, () =>
          terminal.event(name, tone, [...about, ...parts]),
        )
      }
      const event = { event: 'failed', cause: 'data', message, fix, ...result }
      emit({ ...event, ...(exception && { location: exception.location }) }, () => {
        const { location, excerpt = '' } = exception ?? {}
        if (location === undefined) return showFailures(about, exchange)
        showFailure(about, findHeadline(excerpt) ?? message, location, '', excerpt)
      })
    },
    /** Prints the sidebar of an issue, and every failure. */
    opened(widget: WidgetView): void {
      const { outcome, payload, failures, message, fix } = widget
      const color = io.color && !settings.json
      const text = payload === null ? null : renderPayload(payload, { color }).text
      const event = {
        event: 'opened',
        ok: !isFailed(widget),
        outcome,
        message,
        fix,
        text,
        failures,
      }
      emit(event, () => {
        if (text !== null) terminal.write('stdout', `\n${text}`)
        const view = { failures, message: `${outcome}: ${message}`, fix }
        if (outcome !== 'rendered') showFailures([], view, true)
      })
    },
    /** Reports a check that the workspace ran. */
    checked(app: string, report: CheckSummary): void {
      const { verdict, summary, durationMs } = report
      const what = [verdict.replace('_', ' '), formatSummary({ summary }), `${durationMs} ms`]
      emit({ event: 'checked', app, ...report }, () =>
        terminal.event('checked', CHECK_TONES[verdict], [isOneApp ? undefined : app, ...what]),
      )
    },
  }
}

/** Prints failures and notes, or emits events as lines of JSON. */
function createPrinter(io: CliContext, settings: DevSettings, terminal: Terminal) {
  const { stdout, stderr } = io
  const isOneApp = settings.servers.flatMap(({ apps }) => apps).length === 1
  const { isInteractive } = terminal

  function emit(event: object, show: () => void): void {
    if (settings.json) stdout.write(`${JSON.stringify(event)}\n`)
    else show()
  }

  /** Prints a failure: its subject, message, location, details, and a code frame that is not in `printed`. */
  function showFailure(
    about: readonly (string | undefined)[],
    message: string,
    location: CommandFailure['location'] | null,
    details = '',
    printed = '',
  ): void {
    const place = location == null ? undefined : `${location.file}:${location.line}`
    if (isInteractive) terminal.event('failed', 'red', [...about, message, place])
    else
      terminal.write('stderr', `sidecard dev: ${[message, place].filter(Boolean).join(' at ')}\n`)
    const frame = location == null ? '' : formatCodeFrame(location, io, printed)
    terminal.write('stderr', `${details.replaceAll(/^(?=.)/gm, '  ')}${frame}`)
  }

  /** @param showsStack whether the failures are printed with their stacks */
  function showFailures(
    about: readonly (string | undefined)[],
    { failures, message, fix }: Pick<ExchangeView, 'failures' | 'message' | 'fix'>,
    showsStack = false,
  ): void {
    for (const each of failures) {
      if (each.intended) continue
      const stack = showsStack && each.error?.stack ? `${each.error.stack}\n` : ''
      showFailure(about, describeFailure(each), each.error?.location, stack)
    }
    if (failures.length === 0) showFailure(about, `${message.replace(/\.$/, '')}. ${fix}`, null)
  }

  function warn(message: string): void {
    if (isInteractive) terminal.event('note', 'yellow', [message])
    else stderr.write(`sidecard dev: ${message}\n`)
  }

  return { emit, warn, showFailure, showFailures, isOneApp, isInteractive }
}

const MAX_LISTED = 3

function list(files: readonly string[]): string {
  const names = files.map((file) => basename(file))
  const isClear = new Set(names).size === names.length
  const shown = (isClear ? names : files).slice(0, MAX_LISTED).join(', ')
  return files.length > MAX_LISTED ? `${shown} and ${files.length - MAX_LISTED} more` : shown
}

/**
 * Returns whether a data fetch failed. Stale content, designed cards and failures that
 * a state asks for do not count.
 */
export function isFailed(exchange: Pick<ExchangeView, 'outcome' | 'failures'>): boolean {
  const { outcome, failures } = exchange
  const isStale = failures.length > 0 && failures.every(({ stale, intended }) => stale || intended)
  return describeOutcome(exchange).tone === 'bad' && !(outcome === 'failed' && isStale)
}
