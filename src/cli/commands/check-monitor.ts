import { setTimeout as sleepFor } from 'node:timers/promises'
import { Command } from 'commander'
import { check } from '../../check/check.ts'
import { exitCodeOf } from '../../check/report.ts'
import type { Report, RuleStatus } from '../../check/report.ts'
import { describeVerdict } from '../../check/reporters/verdict-text.ts'
import { integer } from '../../internal/read-options.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { durationOption, numberOption } from '../flags.ts'
import { withInterruptSignal } from '../interruption.ts'
import type { CliContext } from '../io.ts'
import { runCommand, usageError } from '../run-command.ts'
import { createTransport } from '../transport/transport.ts'
import { parseCustomers, parseHeaders } from './endpoint-flags.ts'
import { addEndpointOptions, type EndpointFlags, maxP95Option } from './endpoint.ts'

interface MonitorFlags extends EndpointFlags {
  readonly every: number
  readonly runs?: number
  readonly maxP95?: number
  readonly strict?: boolean
}

/** One line of the output, without secret or personal values. */
export interface MonitorLine {
  /** RFC 3339. */
  readonly time: string
  readonly run: number
  /** Whether the run passed. */
  readonly ok: boolean
  readonly verdict: Report['verdict']
  readonly handshakeMs: number
  readonly dataMs: number
  /** The rules that failed. */
  readonly failed: readonly string[]
  readonly warnings: readonly string[]
  /** The failures that the endpoint reports, with their trace IDs. */
  readonly failures: Report['failures']
  /** The differences from the previous run, in words. */
  readonly changes: readonly string[]
}

const HELP = `
Each run sends one handshake, one data fetch for each
customer, and a last handshake, and prints one line of
JSON. A change since the previous run is also reported on
standard error.

Exit codes: 0 every run passed, 1 a run did not pass, 2
invalid usage, 3 no run reached the endpoint, 70 internal
error, 130 interrupted.

Examples:
  sidecard monitor https://example.com/widget --every 60s \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme
  sidecard monitor https://example.com/widget --runs 1
`

/** Runs `sidecard monitor` with the arguments after its name. @returns the exit code */
export async function runMonitorCommand(args: readonly string[], io: CliContext): Promise<number> {
  const command = addEndpointOptions(new Command('sidecard monitor'))
    .description('Check an endpoint repeatedly, with few requests.')
    .argument('[url]', 'the URL of the endpoint')
    .addOption(
      durationOption(
        '--every <duration>',
        'time between the starts of two runs, such as 60s or 5m',
        '60s',
      ),
    )
    .addOption(numberOption('--runs <count>', 'stop after this many runs', integer(1, Infinity)))
    .addOption(maxP95Option('fail a run if a response takes longer than this'))
    .option('--strict', 'treat warnings as failures')
    .addHelpText('after', HELP)
  return runCommand(command, args, io, (url: string | undefined, flags: MonitorFlags) =>
    withInterruptSignal((signal) => monitor(url, flags, io, signal)),
  )
}

async function monitor(
  url: string | undefined,
  flags: MonitorFlags,
  io: CliContext,
  signal: AbortSignal,
): Promise<number> {
  if (url === undefined) {
    throw usageError('Pass the URL of the endpoint, such as sidecard monitor https://example.com.')
  }
  const { every: everyMs, runs = Infinity } = flags
  const strict = flags.strict === true
  const options = {
    profile: 'monitor' as const,
    fetch: createTransport(io.env).fetch,
    headers: parseHeaders(flags.header ?? [], io),
    params: parseCustomers(flags.param ?? [], io),
    timeoutMs: flags.timeout,
    // There is a next run even if this one fails.
    maxWaitMs: 0,
    ...(flags.maxP95 !== undefined && { maxP95Ms: flags.maxP95 }),
  }
  const exitCodes: number[] = []
  let previous: Report | undefined
  for (let run = 1; run <= runs; run += 1) {
    const startedAt = Date.now()
    // oxlint-disable-next-line no-await-in-loop -- runs never overlap
    const report = await check(url, options)
    const line = toLine(report, run, strict, previous)
    io.stdout.write(`${JSON.stringify(line)}\n`)
    if (line.changes.length > 0) {
      const { headline } = describeVerdict(report, { strict, allowUnproven: !strict })
      io.stderr.write(`sidecard monitor: ${line.changes.join(', ')}. ${headline}\n`)
    }
    exitCodes.push(exitCodeOf(report, { strict, allowUnproven: !strict }))
    previous = report
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (run < runs) await pause(everyMs - (Date.now() - startedAt), signal)
    if (signal.aborted) return EXIT_CODES.interrupted
  }
  return toExitCode(exitCodes)
}

function toExitCode(exitCodes: readonly number[]): number {
  if (exitCodes.every((code) => code === EXIT_CODES.unreachable)) return EXIT_CODES.unreachable
  return exitCodes.every((code) => code === EXIT_CODES.ok) ? EXIT_CODES.ok : EXIT_CODES.failed
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleepFor(Math.max(0, ms), undefined, { signal }).catch(() => undefined)
}

function toLine(
  report: Report,
  run: number,
  strict: boolean,
  previous: Report | undefined,
): MonitorLine {
  const named = (status: 'fail' | 'warn') =>
    report.results.filter((result) => result.status === status).map(({ rule }) => rule)
  const line = {
    time: report.startedAt,
    run,
    ok: exitCodeOf(report, { strict, allowUnproven: !strict }) === 0,
    verdict: report.verdict,
    handshakeMs: report.timings.handshake.maxMs,
    dataMs: report.timings.data.maxMs,
    failed: named('fail'),
    warnings: named('warn'),
    failures: report.failures,
  }
  return { ...line, changes: previous === undefined ? [] : describeChanges(previous, report) }
}

/** A rule that was skipped in one of the runs has not changed: nothing was seen of it. */
function describeChanges(before: Report, now: Report): readonly string[] {
  const last = new Map(before.results.map(({ rule, status }) => [rule, status]))
  const changed = (status: RuleStatus) =>
    now.results.filter(({ rule, status: current }) => {
      const previous = last.get(rule)
      return current === status && previous !== status && previous !== 'skip'
    })
  return [
    ...(before.verdict === now.verdict ? [] : [`${before.verdict} became ${now.verdict}`]),
    ...changed('fail').map(({ rule }) => `${rule} fails now`),
    ...changed('warn').map(({ rule }) => `${rule} warns now`),
    ...changed('pass').map(({ rule }) => `${rule} passes now`),
  ]
}
