import type { Report } from '../report.ts'
import { githubReport } from './github.ts'
import { humanReport } from './human.ts'
import type { HumanOptions } from './human.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'

/** The forms that a report can be written in. */
export const REPORTERS = ['human', 'json', 'junit', 'github', 'markdown'] as const

/** The name of a form. */
export type ReporterName = (typeof REPORTERS)[number]

/** Writes a report in one of the forms; each ends with a line end. */
export function formatReport(
  report: Report,
  reporter: ReporterName,
  options: HumanOptions = {},
): string {
  switch (reporter) {
    case 'human':
      return humanReport(report, options)
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`
    case 'junit':
      return junitReport(report, options)
    case 'github':
      return githubReport(report, options)
    default:
      return markdownReport(report, options)
  }
}
