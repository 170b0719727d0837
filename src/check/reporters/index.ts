import type { Report } from '../report.ts'
import { githubReport } from './github.ts'
import { htmlReport } from './html.ts'
import { humanReport } from './human.ts'
import type { HumanOptions } from './human.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'

/** The formats of a report. */
export const REPORTERS = ['human', 'json', 'junit', 'github', 'markdown', 'html'] as const

/** The name of a format. */
export type ReporterName = (typeof REPORTERS)[number]

const FORMATS: Readonly<Record<ReporterName, (report: Report, options: HumanOptions) => string>> = {
  human: humanReport,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: junitReport,
  github: githubReport,
  markdown: markdownReport,
  html: htmlReport,
}

/**
 * Formats a report; each format ends with a newline. The HTML page shows the
 * sidebar and the requests if the check ran with the option `details`.
 */
export function formatReport(
  report: Report,
  reporter: ReporterName,
  options: HumanOptions = {},
): string {
  return FORMATS[reporter](report, options)
}
