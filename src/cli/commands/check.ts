import { readFile, writeFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { SidecardError } from '../../errors.ts'
import { check } from '../../check/check.ts'
import { applyBaseline, parseBaseline } from '../../check/baseline.ts'
import { explainRule, listRules, ruleAsJson } from '../../check/explain.ts'
import { exitCodeOf } from '../../check/report.ts'
import { formatReport, REPORTERS } from '../../check/reporters/index.ts'
import type { ReporterName } from '../../check/reporters/index.ts'
import { MAX_SAMPLES } from '../../check/options.ts'
import { RULES } from '../../check/rules/index.ts'
import { findRule } from '../../check/selection.ts'
import { createCaller } from '../../desk/caller.ts'
import type { Caller } from '../../desk/caller.ts'
import { DEFAULT_IDS } from '../../desk/desk.ts'
import type { FetchDataIds } from '../../desk/query.ts'
import { renderPayload } from '../../render/index.ts'
import { collect } from '../collect.ts'
import type { CliIo } from '../io.ts'
import { runCommand, usageError } from '../run-command.ts'
import { createTransport } from '../transport/transport.ts'
import { parseHeaders, parseNames, parseParameters, parseWhole } from './check-options.ts'
import { addEndpointOptions, type EndpointFlags } from './endpoint.ts'

interface CheckFlags extends EndpointFlags {
  readonly samples: string
  readonly expectAuth?: boolean
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly strict?: boolean
  readonly baseline?: string
  readonly reporter: ReporterName
  readonly json?: boolean
  readonly output?: string
  readonly show?: boolean
  readonly list?: boolean
  readonly explain?: string
  readonly publicOnly?: boolean
}

const EXAMPLES = `
Exit codes: 0 nothing failed, 1 a rule failed, 2 wrong
usage, 3 nothing answers, 70 our own fault.

Examples:
  sidecard check http://localhost:8787
  sidecard check https://example.com/widget \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme --expect-auth
  sidecard check http://localhost:8787 \\
    --reporter junit --output check.xml
  sidecard check --explain answer-redirect
`

/** Runs `sidecard check` with the arguments that follow the word `check`. @returns the exit code */
export async function runCheckCommand(args: readonly string[], io: CliIo): Promise<number> {
  const command = addEndpointOptions(new Command('sidecard check'))
    .description('Check an endpoint, in any language, against the contract.')
    .argument('[url]', 'the address of the endpoint')
    .option('--samples <count>', 'handshakes and data fetches that must all be right', '5')
    .option('--expect-auth', 'fail when a request without the right headers is answered')
    .option('--no-expect-auth', 'never fail because of authentication')
    .option('--only <rules>', 'judge these rules or groups only', collect)
    .option('--skip <rules>', 'leave these rules or groups out', collect)
    .option('--strict', 'let warnings fail, too')
    .option(
      '--baseline <file>',
      'a JSON array of rules that are known to fail; a stale entry fails',
    )
    .addOption(
      new Option('--reporter <form>', 'how to write the report')
        .choices([...REPORTERS])
        .default('human'),
    )
    .addOption(new Option('--json', 'the same as --reporter json').implies({ reporter: 'json' }))
    .option('--output <file>', 'write the report to a file')
    .option('--show', 'show the widget, too, as the sidebar would')
    .option('--list', 'list every rule')
    .option('--explain <rule>', 'explain a rule')
    .option('--public-only', 'refuse an address that is not public, in every spelling')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, (url: string | undefined, flags: CheckFlags) =>
    perform(url, flags, io),
  )
}

async function perform(url: string | undefined, flags: CheckFlags, io: CliIo): Promise<number> {
  const { palette } = io
  if (flags.json === true && flags.reporter !== 'json') {
    throw usageError('--json is --reporter json: leave the other reporter out.')
  }
  const asJson = flags.reporter === 'json'
  const width = Math.min(Math.max(io.stdout.columns ?? 100, 60), 120)
  if (flags.list === true) {
    return show(io, asJson ? json(RULES.map(ruleAsJson)) : listRules(palette, width))
  }
  if (flags.explain !== undefined) {
    const rule = findRule(flags.explain)
    return show(io, asJson ? json(ruleAsJson(rule)) : explainRule(rule, palette, width))
  }
  if (url === undefined) {
    throw new SidecardError(
      'usage',
      'Give the address of the endpoint: sidecard check http://localhost:8787',
    )
  }
  const known = flags.baseline === undefined ? undefined : parseBaseline(await read(flags.baseline))
  const transport = createTransport({ publicOnly: flags.publicOnly === true })
  transport.assertAllowed(url)
  const request = {
    fetch: transport.fetch,
    headers: parseHeaders(flags.header ?? [], io),
    ids: parseParameters(flags.param ?? []),
    timeoutMs: parseWhole('--timeout', flags.timeout, 1, 600_000),
  }
  const spinner = startProgress(io, flags)
  const checked = await check(url, {
    ...request,
    samples: parseWhole('--samples', flags.samples, 1, MAX_SAMPLES),
    expectAuth: flags.expectAuth ?? 'detect',
    ...(flags.only !== undefined && { only: parseNames(flags.only) }),
    skip: parseNames(flags.skip ?? []),
    onProgress: ({ step, requests }) => spinner.show(`${step} (${requests} requests)`),
  }).finally(spinner.stop)
  transport.assertNothingRefused()
  const report = known === undefined ? checked : applyBaseline(checked, known)
  const strict = flags.strict === true
  if (flags.output === undefined) {
    io.stdout.write(formatReport(report, flags.reporter, { palette, width, strict }))
  } else {
    await write(flags.output, formatReport(report, flags.reporter, { width, strict }))
  }
  const forPeople = flags.reporter === 'human' && flags.output === undefined
  if (flags.show === true && forPeople && !report.unreachable) {
    io.stdout.write(await showWidget(createCaller({ ...request, target: url }), request.ids, io))
  }
  return exitCodeOf(report, { strict })
}

/** One data fetch more, drawn; what a check itself sees of a customer stays out of its report. */
async function showWidget(caller: Caller, ids: FetchDataIds, io: CliIo): Promise<string> {
  const result = await caller.fetchData({ ...DEFAULT_IDS, ...ids })
  if (result.outcome !== 'rendered') return `\n(error state: ${result.message})\n`
  return `\n${renderPayload(result.payload, { color: io.color }).text}`
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function show(io: CliIo, text: string): number {
  io.stdout.write(text)
  return 0
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw new SidecardError('usage', `The baseline ${JSON.stringify(path)} cannot be read.`)
  }
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch {
    throw new SidecardError('usage', `The report cannot be written to ${JSON.stringify(path)}.`)
  }
}

/** One line that changes while somebody watches; nothing at all otherwise. */
function startProgress({ stderr, env }: CliIo, { reporter }: CheckFlags) {
  const watched = stderr.isTTY === true && !env['NO_COLOR'] && !env['CI'] && reporter === 'human'
  return {
    show: (text: string) => {
      if (watched) stderr.write(`\r\u001B[2K${text}`)
    },
    stop: () => {
      if (watched) stderr.write('\r\u001B[2K')
    },
  }
}
