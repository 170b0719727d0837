import type { Report } from '../report.ts'
import { githubReport } from './github.ts'
import { type HumanOptions, humanReport } from './human.ts'
import { junitReport } from './junit.ts'

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

/** Formats a report; each format ends with a newline. */
export function formatReport(
  report: Report,
  reporter: ReporterName,
  options: HumanOptions = {},
): string {
  return FORMATS[reporter](report, options)
}
