import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { check } from '../../check/check.ts'
import { applyBaseline, parseBaseline } from './baseline.ts'
import { explainRule, findRule, listRules, ruleToJson } from './explain-rule.ts'
import { exitCodeOf } from '../../check/report/report.ts'
import { CHECK_KINDS, type CheckOptions } from '../../check/options.ts'
import { RULES } from '../../check/rules/index.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliContext } from '../io.ts'
import { describeApp, readAppHeaders, type Secrets } from '../apps/app-headers.ts'
import { describeEntry, findProject } from '../apps/find-project.ts'
import { type SelectedApp, selectApps } from '../apps/select-apps.ts'
import { withServers } from '../apps/with-servers.ts'
import { usageError } from '../run-command.ts'
import { createTransport } from '../transport/transport.ts'
import { parseCustomers } from '../endpoint-flags.ts'
import type { CustomerFlags } from './endpoint-options.ts'
import { assertWritable, parseOutputs, writeReports } from './check-outputs.ts'
import type { ReportOutput } from './check-outputs.ts'

type CheckerFlags = Required<
  Pick<CheckOptions, 'samples' | 'isolationSamples' | 'latencySamples' | 'profile'>
>

/** The options of `sidecard check`. */
export interface CheckFlags extends CustomerFlags, CheckerFlags {
  readonly maxP95?: number
  readonly maxWait: number
  readonly expectAuth?: boolean
  readonly unknownShows?: readonly string[]
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly strict?: boolean
  readonly allowUnproven?: boolean
  readonly baseline?: string
  readonly reporter?: readonly string[]
  readonly json?: boolean
  readonly output?: string
  readonly details?: boolean
  readonly list?: boolean
  readonly explain?: string
}

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
  const { palette, stdout, stderr } = io
  const { strict = false, allowUnproven = false, details = false } = flags
  const outputs = parseReporters(flags, io)
  const width = Math.min(Math.max(stdout.columns ?? 100, 60), 120)
  const print = (json: object, text: string) => {
    stdout.write(outputs[0]?.reporter === 'json' ? `${JSON.stringify(json, null, 2)}\n` : text)
    return EXIT_CODES.ok
  }
  if (flags.list === true) return print(RULES.map(ruleToJson), listRules(palette, width))
  if (flags.explain !== undefined) {
    const rule = findRule(flags.explain)
    return print(ruleToJson(rule), explainRule(rule, palette, width))
  }
  const project = findProject(io.cwd)
  const apps = selectApps(project, io, target, flags.env)
  if (apps.length > 1) assertForSeveralApps(flags, outputs, apps)
  const known = flags.baseline && parseBaseline(await readBaseline(resolve(io.cwd, flags.baseline)))
  await assertWritable(outputs)

  /** Checks an app, and writes its report. */
  async function checkApp(app: SelectedApp, secrets: Secrets) {
    const options = readCheckOptions(app, secrets, flags)
    if (app.name !== undefined) {
      const names = flags.customer === undefined ? app.customers.map(describeEntry) : []
      const as = names.length === 0 ? '' : ` as ${new Intl.ListFormat('en').format(names)}`
      stderr.write(`Checking ${describeApp(app, secrets)}${as}.\n`)
    }
    const showProgress = createProgress(io, outputs)
    const checked = await check(app.url, {
      ...options,
      ...createTransport(io.env),
      details,
      onProgress: ({ step, requests }) => showProgress(`${step} (${requests} requests)`),
    }).finally(() => showProgress(''))
    const report = known ? applyBaseline(checked, known) : checked
    const verdictOptions = { strict, allowUnproven }
    const settings = { ...verdictOptions, palette, width, details }
    const areWritten = await writeReports(report, outputs, settings, io)
    const code = exitCodeOf(report, verdictOptions)
    return { report, code: areWritten ? code : Math.max(code, EXIT_CODES.failed) }
  }

  return withServers(project.folder, io, async (open) => {
    const codes: number[] = []
    for (const app of apps) {
      // oxlint-disable-next-line no-await-in-loop -- one report after another
      const server = await open(app)
      if (server.problem === undefined) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const { report, code } = await checkApp(app, server.secrets)
        if (report.unreachable) stderr.write(server.lastOutput())
        codes.push(code)
      } else {
        stderr.write(`sidecard check: ${server.problem}\n`)
        codes.push(EXIT_CODES.unreachable)
      }
    }
    return Math.max(...codes)
  })
}

/**
 * Rejects options that only fit one app: headers belong to one origin, and a
 * report in these formats to one app.
 */
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

function parseReporters(flags: CheckFlags, { cwd }: CliContext): readonly ReportOutput[] {
  const { reporter: reporters = [], json, output } = flags
  if (json !== true) return parseOutputs(reporters, output, cwd)
  if (reporters.every((reporter) => reporter === 'json')) return parseOutputs(['json'], output, cwd)
  throw usageError('--json cannot be combined with --reporter.')
}

function readCheckOptions(app: SelectedApp, secrets: Secrets, flags: CheckFlags): CheckOptions {
  const { customer, samples, isolationSamples, latencySamples, profile, only, skip, maxP95 } = flags
  const headers = readAppHeaders(app, flags.header ?? [], secrets)
  if (flags.expectAuth === true && Object.keys(headers).length === 0) {
    throw usageError(
      "--expect-auth requires the header with the secret. Pass it with -H 'x-sidecard-secret: env:SIDECARD_SECRET'.",
    )
  }
  return {
    headers,
    customers:
      customer === undefined
        ? app.customers.map(({ ids, shows }) => ({ ids, shows }))
        : parseCustomers(customer, { cwd: secrets.folder, env: secrets.env }),
    unknown: flags.unknownShows === undefined ? app.unknown : { shows: flags.unknownShows },
    timeoutMs: flags.timeout,
    samples,
    isolationSamples,
    latencySamples,
    profile,
    maxWaitMs: flags.maxWait,
    expectAuth: flags.expectAuth ?? CHECK_KINDS.expectAuth.fallback,
    ...(maxP95 !== undefined && { maxP95Ms: maxP95 }),
    ...(only !== undefined && { only }),
    ...(skip !== undefined && { skip }),
  }
}

async function readBaseline(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw usageError(`Cannot read the baseline ${JSON.stringify(path)}.`)
  }
}

/** Shows the progress in a line that is updated, only on a terminal. */
function createProgress({ stderr, env }: CliContext, outputs: readonly ReportOutput[]) {
  const isShown =
    stderr.isTTY === true &&
    !env['NO_COLOR'] &&
    !env['CI'] &&
    outputs.every(({ reporter, file }) => reporter === 'human' || file !== undefined)
  return (text: string) => {
    if (isShown) stderr.write(`\r\u001B[2K${text}`)
  }
}
