import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { check } from '../../check/check.ts'
import { applyBaseline, parseBaseline } from '../../check/baseline.ts'
import { explainRule, listRules, ruleToJson } from '../../check/explain.ts'
import { exitCodeOf } from '../../check/report.ts'
import { CHECK_KINDS } from '../../check/options.ts'
import type { CheckProfile } from '../../check/options.ts'
import { REPORTERS } from '../../check/reporters/index.ts'
import { RULES } from '../../check/rules/index.ts'
import { findRule } from '../../check/selection.ts'
import { createEndpointClient } from '../../service/endpoint-client.ts'
import type { EndpointClient } from '../../service/endpoint-client.ts'
import { DEFAULT_IDS } from '../../service/test-service.ts'
import type { FetchDataIds } from '../../service/query.ts'
import { renderPayload } from '../../render/index.ts'
import { oneOf, string, withDefault } from '../../internal/read-options.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { listOption, namesOption, numberOption, option } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { withLocalSecrets } from '../local-secrets.ts'
import { runCommand, usageError } from '../run-command.ts'
import { createTransport } from '../transport/transport.ts'
import { localEndpoint, parseCustomers, parseHeaders } from './endpoint-flags.ts'
import { assertWritable, parseOutputs, writeReports } from './check-outputs.ts'
import type { ReportOutput } from './check-outputs.ts'
import { addEndpointOptions, type EndpointFlags, maxP95Option } from './endpoint.ts'

interface CheckFlags extends EndpointFlags {
  readonly samples: number
  readonly repeat: number
  readonly maxP95?: number
  readonly maxWait: number
  readonly profile: CheckProfile
  readonly expectAuth?: boolean
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly strict?: boolean
  readonly allowUnproven?: boolean
  readonly baseline?: string
  readonly reporter?: readonly string[]
  readonly json?: boolean
  readonly output?: string
  readonly details?: boolean
  readonly show?: boolean
  readonly list?: boolean
  readonly explain?: string
}

const EXAMPLES = `
A name that --param repeats starts the next customer.
With --profile production, no malformed requests are sent.

Exit codes: 0 no failures, 1 rule failures or an
incomplete run, 2 invalid usage, 3 endpoint unreachable,
70 internal error.

Examples:
  sidecard check http://localhost:8787
  sidecard check https://example.com/widget \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme --expect-auth
  sidecard check https://example.com/widget \\
    --param account_id=acme --param account_id=globex \\
    --profile production --repeat 100 --max-p95 800
  sidecard check http://localhost:8787 \\
    --reporter html --output report.html
  sidecard check --explain response-redirect
`

/** Runs `sidecard check` with the arguments that follow the word `check`. @returns the exit code */
export async function runCheckCommand(args: readonly string[], io: CliContext): Promise<number> {
  const command = addEndpointOptions(new Command('sidecard check'))
    .description('Check an endpoint, in any language, against the contract.')
    .argument('[url]', 'the URL of the endpoint (default: http://127.0.0.1 and PORT or 8787)')
    .addOption(
      numberOption(
        '--samples <count>',
        'number of handshakes and data fetches to send, 1 to 50',
        CHECK_KINDS.samples,
      ),
    )
    .addOption(
      numberOption(
        '--repeat <count>',
        'additional handshakes and data fetches to measure, at most 1000',
        CHECK_KINDS.repeat,
      ),
    )
    .addOption(maxP95Option('fail if the 95th percentile of the response times exceeds this'))
    .addOption(
      numberOption(
        '--max-wait <ms>',
        'total time to wait for a rate limit, in milliseconds, at most 600000',
        CHECK_KINDS.maxWaitMs,
      ),
    )
    .addOption(
      option(
        '--profile <name>',
        'which requests to send: full or production',
        withDefault(oneOf('full', 'production'), CHECK_KINDS.profile.fallback),
      ),
    )
    .option('--expect-auth', 'fail if an unauthenticated request is accepted')
    .option('--no-expect-auth', 'report authentication findings as warnings only')
    .addOption(namesOption('--only <rules>', 'run only these rules or groups'))
    .addOption(namesOption('--skip <rules>', 'skip these rules or groups'))
    .option('--strict', 'treat warnings as failures')
    .option('--allow-unproven', 'accept a run that received no customer data')
    .option('--baseline <file>', 'JSON array of known failures; an entry that passes fails the run')
    .addOption(
      listOption(
        '--reporter <format[=file]>',
        `report format: ${REPORTERS.join(', ')} (repeatable; default human)`,
        string,
      ),
    )
    .option('--json', 'the same as --reporter json')
    .option('--output <file>', 'write the report to a file')
    .option('--details', 'add the payload and every request to the JSON report')
    .option('--show', 'also render the widget')
    .option('--list', 'list every rule')
    .option('--explain <rule>', 'explain a rule')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, (url: string | undefined, flags: CheckFlags) =>
    perform(url, flags, io),
  )
}

async function perform(
  url: string | undefined,
  flags: CheckFlags,
  io: CliContext,
): Promise<number> {
  const { palette } = io
  const outputs = parseReporters(flags, io)
  const asJson = outputs[0]?.reporter === 'json'
  const width = Math.min(Math.max(io.stdout.columns ?? 100, 60), 120)
  if (flags.list === true) {
    return print(io, asJson ? toJson(RULES.map(ruleToJson)) : listRules(palette, width))
  }
  if (flags.explain !== undefined) {
    const rule = findRule(flags.explain)
    return print(io, asJson ? toJson(ruleToJson(rule)) : explainRule(rule, palette, width))
  }
  const target = url ?? localEndpoint(withLocalSecrets(io.cwd, io.env))
  const known =
    flags.baseline === undefined
      ? undefined
      : parseBaseline(await readBaseline(resolve(io.cwd, flags.baseline)))
  const transport = createTransport(io.env)
  const options = parseCheckOptions(flags, io)
  await assertWritable(outputs)
  const spinner = startProgress(io, outputs)
  const checked = await check(target, {
    ...options,
    fetch: transport.fetch,
    openConnection: transport.openConnection,
    details: flags.details === true || outputs.some(({ reporter }) => reporter === 'html'),
    onProgress: ({ step, requests }) => spinner.show(`${step} (${requests} requests)`),
  }).finally(spinner.stop)
  const report = known === undefined ? checked : applyBaseline(checked, known)
  const { strict = false, allowUnproven = false } = flags
  const verdictOptions = { strict, allowUnproven }
  const details = flags.details === true
  const areWritten = await writeReports(
    report,
    outputs,
    { ...verdictOptions, palette, width, details },
    io,
  )
  const forPeople = outputs.some(({ reporter, file }) => reporter === 'human' && file === undefined)
  if (flags.show === true && forPeople && !report.unreachable) {
    const { headers, timeoutMs } = options
    const settings = { headers, timeoutMs, fetch: transport.fetch }
    const client = createEndpointClient({ ...settings, target })
    io.stdout.write(await showWidget(client, options.params[0] ?? {}, io))
  }
  const exitCode = exitCodeOf(report, verdictOptions)
  return exitCode === EXIT_CODES.ok && !areWritten ? EXIT_CODES.failed : exitCode
}

function parseReporters(flags: CheckFlags, { cwd }: CliContext): readonly ReportOutput[] {
  const reporters = flags.reporter ?? []
  if (flags.json !== true) return parseOutputs(reporters, flags.output, cwd)
  if (reporters.some((reporter) => reporter !== 'json')) {
    throw usageError('--json cannot be combined with --reporter.')
  }
  return parseOutputs(['json'], flags.output, cwd)
}

function parseCheckOptions(flags: CheckFlags, io: CliContext) {
  const headers = parseHeaders(flags.header ?? [], io)
  if (flags.expectAuth === true && Object.keys(headers).length === 0) {
    throw usageError(
      "--expect-auth requires the header with the secret. Pass it with -H 'x-sidecard-secret: env:SIDECARD_SECRET'.",
    )
  }
  return {
    headers,
    params: parseCustomers(flags.param ?? [], io),
    timeoutMs: flags.timeout,
    samples: flags.samples,
    repeat: flags.repeat,
    maxWaitMs: flags.maxWait,
    ...(flags.maxP95 !== undefined && { maxP95Ms: flags.maxP95 }),
    profile: flags.profile,
    expectAuth: flags.expectAuth ?? CHECK_KINDS.expectAuth.fallback,
    ...(flags.only !== undefined && { only: flags.only }),
    ...(flags.skip !== undefined && { skip: flags.skip }),
  }
}

/**
 * Fetches the data once more and renders it, because the report of the check
 * contains no customer data.
 */
async function showWidget(
  client: EndpointClient,
  ids: FetchDataIds,
  io: CliContext,
): Promise<string> {
  const result = await client.fetchData({ ...DEFAULT_IDS, ...ids })
  if (result.payload === undefined) return `\n(error state: ${result.message})\n`
  return `\n${renderPayload(result.payload, { color: io.color }).text}`
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function print(io: CliContext, text: string): number {
  io.stdout.write(text)
  return 0
}

async function readBaseline(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw usageError(`Cannot read the baseline ${JSON.stringify(path)}.`)
  }
}

/** Shows the progress in one line that is updated, on a terminal only. */
function startProgress({ stderr, env }: CliContext, outputs: readonly ReportOutput[]) {
  const isShown =
    stderr.isTTY === true &&
    !env['NO_COLOR'] &&
    !env['CI'] &&
    outputs.every(({ reporter, file }) => reporter === 'human' || file !== undefined)
  return {
    show: (text: string) => {
      if (isShown) stderr.write(`\r\u001B[2K${text}`)
    },
    stop: () => {
      if (isShown) stderr.write('\r\u001B[2K')
    },
  }
}
