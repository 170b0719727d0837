import {
  integer,
  readOptions,
  record,
  withDefault,
} from '../../../../runtime/internal/read-options.ts'
import { type Report, REPORT_KINDS } from '../report.ts'
import { githubReport } from './github.ts'
import { type HumanOptions, humanReport } from './human.ts'
import { junitReport } from './junit.ts'
import { type Palette, PLAIN } from './palette.ts'

const FORMATS = {
  human: humanReport,
  json: (report: Report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: junitReport,
  github: githubReport,
}

/** The name of a format. */
export type ReporterName = keyof typeof FORMATS

/** The formats of a report. */
export const REPORTERS = Object.keys(FORMATS) as readonly ReporterName[]

const REPORTER_KINDS = {
  ...REPORT_KINDS,
  palette: withDefault<Palette>(record, PLAIN),
  width: withDefault(integer(20, 1_000), 100),
}

/**
 * Formats a report; each format ends with a newline.
 *
 * @throws {SidecardError} `invalid_options`
 */
export function formatReport(
  report: Report,
  reporter: ReporterName,
  options: HumanOptions = {},
): string {
  return FORMATS[reporter](report, readOptions('formatReport', options, REPORTER_KINDS))
}
