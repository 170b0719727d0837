import { access, constants } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { formatReport, REPORTERS } from '../../check/report/reporters/index.ts'
import type { ReporterName } from '../../check/report/reporters/index.ts'
import type { HumanOptions } from '../../check/report/reporters/human.ts'
import type { Report } from '../../check/report/report.ts'
import { describeVerdict } from '../../check/report/reporters/verdict-text.ts'
import { unknownName } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { assertMayWrite, cannotWrite, writeWhole } from '../output-file.ts'
import { usageError } from '../run-command.ts'

/** A report format and its destination. */
export interface ReportOutput {
  readonly reporter: ReporterName
  /** `undefined` for standard output. */
  readonly file: string | undefined
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
    const [, name = '', ownFile] = /^([^=]*)(?:=([^]*))?$/.exec(text) ?? []
    const reporter = REPORTERS.find((each) => each === name)
    if (reporter === undefined) throw unknownName('reporter', name, REPORTERS)
    if (ownFile === '') {
      throw usageError(`--reporter ${name}= has no file. Use --reporter ${name}=report.${name}.`)
    }
    const file = ownFile ?? output
    return { reporter, file: file === undefined ? undefined : resolve(cwd, file) }
  })
  if (output !== undefined && outputs.every(({ file }) => file !== resolve(cwd, output))) {
    throw usageError('--output is unused, because every --reporter has its own file.')
  }
  const twice = outputs.find(
    ({ file }, index) => outputs.findIndex((each) => each.file === file) < index,
  )
  if (twice === undefined) return outputs
  const place = twice.file === undefined ? 'standard output' : JSON.stringify(twice.file)
  throw usageError(`Two reporters write to ${place}. Give each of them its own file.`)
}

/** The start of a report in each format. */
const REPORT =
  /^(?:\{\s*"version": \d+,\s*"verdict": "|<\?xml[^>]*>\s*<testsuites name="sidecard check |::\w+ title=sidecard |.{0,500} {2}\d+ requests in |$)/

/**
 * Validates each file before the check, so that a long run does not fail at its
 * end.
 *
 * @throws {SidecardError} `usage` for a file that cannot be written, or that
 * exists and is not a report.
 */
export async function assertWritable(outputs: readonly ReportOutput[]): Promise<void> {
  for (const { file } of outputs) {
    if (file === undefined) continue
    // oxlint-disable-next-line no-await-in-loop -- the first error is enough
    const exists = await assertMayWrite(file, 'a report', (text) => REPORT.test(text))
    if (exists) continue
    try {
      // Creating the file now would restart `sidecard dev` during the check.
      // oxlint-disable-next-line no-await-in-loop -- as above
      await access(`${dirname(file)}/.`, constants.W_OK)
    } catch (error) {
      throw cannotWrite(file, error)
    }
  }
}

/**
 * Writes a report in each format. If a file cannot be written, prints the error
 * and the verdict to standard error.
 *
 * @returns whether all reports were written
 */
export async function writeReports(
  report: Report,
  outputs: readonly ReportOutput[],
  {
    details,
    palette,
    width,
    ...verdictOptions
  }: Required<HumanOptions> & { readonly details: boolean },
  { stdout, stderr }: Pick<CliContext, 'stdout' | 'stderr'>,
): Promise<boolean> {
  let areWritten = true
  const { exchanges: _exchanges, payload: _payload, ...summary } = report
  for (const { reporter, file } of outputs) {
    const shown = reporter === 'json' && !details ? summary : report
    if (file === undefined) {
      stdout.write(formatReport(shown, reporter, { ...verdictOptions, width, palette }))
      continue
    }
    try {
      // oxlint-disable-next-line no-await-in-loop -- few files, and errors in their order
      await writeWhole(file, formatReport(shown, reporter, { ...verdictOptions, width }))
    } catch (error) {
      areWritten = false
      const { headline } = describeVerdict(report, verdictOptions)
      stderr.write(`sidecard check: ${cannotWrite(file, error).message} ${headline}\n`)
    }
  }
  return areWritten
}
