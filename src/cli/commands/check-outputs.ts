import { access, constants, open, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { SidecardError } from '../../internal/errors.ts'
import { formatReport, REPORTERS } from '../../check/reporters/index.ts'
import type { ReporterName } from '../../check/reporters/index.ts'
import type { HumanOptions } from '../../check/reporters/human.ts'
import type { Report } from '../../check/report.ts'
import { describeVerdict } from '../../check/reporters/verdict-text.ts'
import { unknownName } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { assertMayWrite, writeWhole } from '../output-file.ts'
import { usageError } from '../run-command.ts'

/** A report format and its destination. */
export interface ReportOutput {
  readonly reporter: ReporterName
  /** Absent for standard output. */
  readonly file?: string
}

/** Common names of formats that have another name here. */
const OTHER_NAMES: Readonly<Record<string, ReporterName>> = {
  text: 'human',
  pretty: 'human',
  table: 'human',
  console: 'human',
  xml: 'junit',
  actions: 'github',
  annotations: 'github',
  jsonl: 'json',
}

/**
 * Parses `--reporter format[=file]` (repeatable) and `--output file`.
 *
 * @throws {SidecardError} `usage`, with a suggestion for an unknown name.
 */
export function parseOutputs(
  reporters: readonly string[],
  output: string | undefined,
  cwd: string,
): readonly ReportOutput[] {
  const outputs = (reporters.length === 0 ? ['human'] : reporters).map((text): ReportOutput => {
    const equals = text.indexOf('=')
    const name = equals === -1 ? text : text.slice(0, equals)
    const file = equals === -1 ? '' : text.slice(equals + 1)
    if (equals !== -1 && file === '') {
      throw usageError(`--reporter ${name}= has no file. Use --reporter ${name}=report.${name}.`)
    }
    return { reporter: parseReporter(name), ...(file !== '' && { file }) }
  })
  const open = outputs.filter(({ file }) => file === undefined)
  if (open.length > 1) {
    const names = open.map(({ reporter }) => reporter)
    throw usageError(
      `--reporter ${names.join(' and ')} both write to standard output. Give one of them a file: --reporter ${names[1]}=report.${names[1]}.`,
    )
  }
  if (output !== undefined && open.length === 0) {
    throw usageError('--output is unused, because every --reporter has its own file.')
  }
  const all = outputs.map(({ reporter, file = output }) => ({
    reporter,
    ...(file !== undefined && { file: resolve(cwd, file) }),
  }))
  const twice = all.find(
    ({ file }, index) => file !== undefined && all.findIndex((each) => each.file === file) < index,
  )
  if (twice === undefined) return all
  throw usageError(
    `Two reporters write to ${JSON.stringify(twice.file)}. Give each of them its own file.`,
  )
}

/** @throws {SidecardError} `usage`, with a suggestion for an unknown name. */
function parseReporter(name: string): ReporterName {
  const reporter = REPORTERS.find((each) => each === name)
  if (reporter !== undefined) return reporter
  const other = OTHER_NAMES[name.toLowerCase()]
  if (other === undefined) throw unknownName('reporter', name, REPORTERS)
  throw usageError(`there is no reporter ${JSON.stringify(name)}. Did you mean ${other}?`)
}

/**
 * Validates each file before the check, so that a long run does not fail at its end.
 *
 * @throws {SidecardError} `usage` for a file that cannot be written, or that exists and is no report.
 */
export async function assertWritable(outputs: readonly ReportOutput[]): Promise<void> {
  for (const { file } of outputs) {
    if (file === undefined) continue
    // oxlint-disable-next-line no-await-in-loop -- the first error is enough
    await assertFileIsWritable(file)
  }
}

/** The start of a report in each format. */
const REPORT =
  /^(?:\{\s*"version": \d+,\s*"verdict": "|<\?xml[^>]*>\s*<testsuites name="sidecard check |::\w+ title=sidecard |.{0,500} {2}\d+ requests in |$)/

async function assertFileIsWritable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() === true) await assertMayWrite(file, 'a report', (text) => REPORT.test(text))
  try {
    // A file that is created here would restart `sidecard dev` during the check.
    if (found === undefined) await access(`${dirname(file)}/.`, constants.W_OK)
    else await (await open(file, 'a')).close()
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

function cannotWrite(file: string, error: unknown): SidecardError {
  const code = (error as { code?: unknown }).code
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'the folder does not exist',
    ENOTDIR: 'a part of the path is not a folder',
    EISDIR: 'it is a folder',
    EACCES: 'no write permission',
    EPERM: 'no write permission',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  }
  const reason = reasons[String(code)] ?? String(code)
  return usageError(`Cannot write the report to ${JSON.stringify(file)}: ${reason}.`)
}

/**
 * Writes a report in each format. If a file cannot be written, standard error
 * says so, with the verdict.
 *
 * @returns whether all reports were written
 */
export async function writeReports(
  report: Report,
  outputs: readonly ReportOutput[],
  { details, ...options }: HumanOptions & { readonly details: boolean },
  { stdout, stderr }: Pick<CliContext, 'stdout' | 'stderr'>,
): Promise<boolean> {
  let areWritten = true
  const { exchanges: _exchanges, payload: _payload, ...summary } = report
  for (const { reporter, file } of outputs) {
    const shown = reporter === 'json' && !details ? summary : report
    if (file === undefined) {
      stdout.write(formatReport(shown, reporter, options))
      continue
    }
    const { palette: _palette, ...plain } = options
    const text = formatReport(shown, reporter, plain)
    try {
      // oxlint-disable-next-line no-await-in-loop -- few files, and errors in their order
      await writeWhole(file, text)
    } catch (error) {
      areWritten = false
      const { width: _width, ...verdictOptions } = plain
      const { headline } = describeVerdict(report, verdictOptions)
      stderr.write(`sidecard check: ${cannotWrite(file, error).message} ${headline}\n`)
    }
  }
  return areWritten
}
