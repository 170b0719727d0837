import { quote } from '../../internal/escape-for-display.ts'
import { SECTIONS_APPLIED_HEADER } from '../../../runtime/internal/headers.ts'
import { kind, record } from '../../../runtime/internal/read-options.ts'
import {
  isConditions,
  parseConditionReport,
  SECTION_CONDITIONS,
  type SectionConditions,
} from '../../../runtime/internal/section-conditions.ts'
import type { EndpointFailure } from '../endpoint/endpoint-failures.ts'
import type { Exchange, ExchangeResponse } from '../endpoint/exchange.ts'
import { suggestName } from './suggest-name.ts'

/** The kind of an option with section conditions. */
export const conditionsKind = kind<SectionConditions>(
  `an object whose values are ${SECTION_CONDITIONS.map((name) => `'${name}'`).join(', ')}`,
  (value) => record.accepts(value) && isConditions(value),
)

const KINDS = { failed: 'section_failed', timeout: 'section_timeout', empty: undefined } as const

/** Marks the failures that the conditions of a request cause, as the response reports it. */
export function markIntended(
  failures: readonly EndpointFailure[],
  conditions: SectionConditions,
  { headers }: ExchangeResponse,
): readonly EndpointFailure[] {
  const { applied = [] } = parseConditionReport(headers[SECTIONS_APPLIED_HEADER]) ?? {}
  const kinds = new Map(applied.map((title) => [title, KINDS[conditions[title] ?? 'empty']]))
  return failures.map((failure) => {
    const { section = '', kind: failureKind } = failure
    return kinds.get(section) === failureKind ? { ...failure, intended: true } : failure
  })
}

/**
 * Describes in one line, safe to print, the first condition that the endpoint did
 * not apply. Returns `undefined` if it applied all of them. If it did not apply
 * one, the payload does not show the requested state.
 */
export function findUnappliedCondition(
  conditions: SectionConditions,
  { response }: Exchange,
): string | undefined {
  const titles = Object.keys(conditions)
  const report = parseConditionReport(response?.headers[SECTIONS_APPLIED_HEADER])
  const missing = titles.find((title) => !report?.applied.includes(title))
  if (missing === undefined) return undefined
  const problem = `the condition of the section ${quote(missing)} was not applied`
  if (report === undefined) {
    return `${problem}: the endpoint reports no sections. It must be a Sidecard app with SIDECARD_DEV=1 that reaches its sections.`
  }
  const hint = suggestName(missing, report.sections, (names) => `Its sections are ${names}.`)
  return `${problem}: the response has no section with this title. ${hint}`
}
