import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { check } from '../../check/check.ts'
import { applyBaseline, parseBaseline } from '../../check/baseline.ts'
import { explainRule, listRules, ruleToJson } from '../../check/explain.ts'
import { exitCodeOf, type Report } from '../../check/report.ts'
import { CHECK_KINDS } from '../../check/options.ts'
import { RULES } from '../../check/rules/index.ts'
import { findRule } from '../../check/selection.ts'
import { createEndpointClient } from '../../service/endpoint-client.ts'
import type { EndpointClient } from '../../service/endpoint-client.ts'
import { DEFAULT_IDS } from '../../service/test-service.ts'
import type { FetchDataIds } from '../../service/query.ts'
import { renderPayload } from '../../render/index.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliContext } from '../io.ts'
import { describeApp, readAppHeaders, type Secrets } from '../project/app-headers.ts'
import { describeEntry, findProject } from '../project/find-project.ts'
import { type SelectedApp, selectApps } from '../project/select-apps.ts'
import { withServers } from '../project/with-servers.ts'
import { usageError } from '../run-command.ts'
import { createTransport } from '../transport/transport.ts'
import { parseCustomers } from './endpoint-flags.ts'
import { assertWritable, parseOutputs, writeReports } from './check-outputs.ts'
import type { ReportOutput } from './check-outputs.ts'
import type { CheckFlags } from './check-flags.ts'

/**
 * Checks one app or all apps of the project, and writes the reports.
 *
 * @returns the exit code
 */
export async function checkApps(
  target: string | undefined,
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
  const project = findProject(io.cwd)
  const apps = selectApps(project, { target, environment: flags.env }, io)
  if (apps.length > 1) assertForSeveralApps(flags, outputs, apps)
  const known =
    flags.baseline === undefined
      ? undefined
      : parseBaseline(await readBaseline(resolve(io.cwd, flags.baseline)))
  await assertWritable(outputs)
  return withServers(project.folder, io, async (open) => {
    let exitCode: number = EXIT_CODES.ok
    for (const app of apps) {
      // oxlint-disable-next-line no-await-in-loop -- one report after another
      const server = await open(app)
      if (server.problem !== undefined) {
        io.stderr.write(`sidecard check: ${server.problem}\n`)
        exitCode = EXIT_CODES.unreachable
        continue
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { report, code } = await checkApp(app, server.secrets, flags, io, {
        outputs,
        known,
        width,
      })
      if (report.unreachable) io.stderr.write(server.lastOutput())
      exitCode = Math.max(exitCode, code)
    }
    return exitCode
  })
}

/** Headers belong to one origin, and a report in these formats to one app. */
function assertForSeveralApps(
  { header, baseline }: CheckFlags,
  outputs: readonly ReportOutput[],
  apps: readonly SelectedApp[],
): void {
  const single = outputs.find(
    ({ reporter, file }) => file !== undefined || /json|junit/.test(reporter),
  )
  const option = header
    ? '-H'
    : baseline
      ? '--baseline'
      : single && 'a report in a file, in JSON or for JUnit'
  if (option === undefined) return
  throw usageError(`${option} is for one app. Name it: sidecard check ${apps[0]?.name ?? ''}`)
}

/** Checks one app, and writes its report. */
async function checkApp(
  app: SelectedApp,
  secrets: Secrets,
  flags: CheckFlags,
  io: CliContext,
  {
    outputs,
    known,
    width,
  }: {
    readonly outputs: readonly ReportOutput[]
    readonly known: ReturnType<typeof parseBaseline> | undefined
    readonly width: number
  },
): Promise<{ readonly report: Report; readonly code: number }> {
  const target = app.url
  const transport = createTransport(io.env)
  const options = parseCheckOptions(app, secrets, flags)
  if (app.name !== undefined) {
    const names = flags.customer === undefined ? app.customers.map(describeEntry) : []
    const as = names.length === 0 ? '' : ` as ${new Intl.ListFormat('en').format(names)}`
    io.stderr.write(`Checking ${describeApp(app, secrets)}${as}.\n`)
  }
  const spinner = startProgress(io, outputs)
  const checked = await check(target, {
    ...options,
    fetch: transport.fetch,
    openConnection: transport.openConnection,
    details: flags.details === true,
    onProgress: ({ step, requests }) => spinner.show(`${step} (${requests} requests)`),
  }).finally(spinner.stop)
  const report = known === undefined ? checked : applyBaseline(checked, known)
  const { strict = false, allowUnproven = false } = flags
  const verdictOptions = { strict, allowUnproven }
  const details = flags.details === true
  const areWritten = await writeReports(
    report,
    outputs,
    { ...verdictOptions, palette: io.palette, width, details },
    io,
  )
  const forPeople = outputs.some(({ reporter, file }) => reporter === 'human' && file === undefined)
  if (flags.show === true && forPeople && !report.unreachable) {
    const { headers, timeoutMs } = options
    const settings = { headers, timeoutMs, fetch: transport.fetch }
    const client = createEndpointClient({ ...settings, target })
    io.stdout.write(await showWidget(client, options.customers[0]?.ids ?? {}, io))
  }
  const exitCode = exitCodeOf(report, verdictOptions)
  const code = exitCode === EXIT_CODES.ok && !areWritten ? EXIT_CODES.failed : exitCode
  return { report, code }
}

function parseReporters(flags: CheckFlags, { cwd }: CliContext): readonly ReportOutput[] {
  const reporters = flags.reporter ?? []
  if (flags.json !== true) return parseOutputs(reporters, flags.output, cwd)
  if (reporters.some((reporter) => reporter !== 'json')) {
    throw usageError('--json cannot be combined with --reporter.')
  }
  return parseOutputs(['json'], flags.output, cwd)
}

function parseCheckOptions(app: SelectedApp, secrets: Secrets, flags: CheckFlags) {
  const headers = readAppHeaders(app, flags.header ?? [], secrets)
  if (flags.expectAuth === true && Object.keys(headers).length === 0) {
    throw usageError(
      "--expect-auth requires the header with the secret. Pass it with -H 'x-sidecard-secret: env:SIDECARD_SECRET'.",
    )
  }
  return {
    headers,
    customers:
      flags.customer === undefined
        ? app.customers.map(({ ids, shows }) => ({ ids, shows }))
        : parseCustomers(flags.customer, { cwd: secrets.folder, env: secrets.env }),
    timeoutMs: flags.timeout,
    samples: flags.samples,
    reads: flags.reads,
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
