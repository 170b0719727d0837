import { decodeBase64Json, encodeBase64Json } from './base64-json.ts'
import { isRecord, strings } from './read-options.ts'

/**
 * The conditions under which a tool opens an issue: sections that settle without
 * their data source, so that developers see each state of a sidebar.
 */

/** The outcome of a section that settles without its data source. */
export type SectionCondition = (typeof SECTION_CONDITIONS)[number]

/** Every {@link SectionCondition}. */
export const SECTION_CONDITIONS = ['failed', 'timeout', 'empty'] as const

/** Conditions by the title of their section. */
export type SectionConditions = Readonly<Record<string, SectionCondition>>

/** The part of a response about the conditions of its request. */
export interface ConditionReport {
  /** The titles of the sections to which a condition was applied. */
  readonly applied: readonly string[]
  /** The titles of all sections of the response, as many as fit into the header. */
  readonly sections: readonly string[]
}

/** The maximum length of an encoded header. */
const MAX_HEADER_LENGTH = 4_096

/** Formats the header `x-sidecard-sections`. */
export function serializeConditions(conditions: SectionConditions): string {
  return encodeBase64Json(conditions)
}

/** Parses the header `x-sidecard-sections`; `undefined` if it is malformed or too long. */
export function parseConditions(value: string): SectionConditions | undefined {
  const conditions = value.length > MAX_HEADER_LENGTH ? undefined : decodeBase64Json(value)
  return isConditions(conditions) ? conditions : undefined
}

/** Returns whether a value is an object of conditions. */
export function isConditions(value: unknown): value is SectionConditions {
  if (!isRecord(value)) return false
  return Object.values(value).every((each) => SECTION_CONDITIONS.includes(each as SectionCondition))
}

/** Formats the header `x-sidecard-sections-applied`. */
export function serializeConditionReport({ applied, sections }: ConditionReport): string {
  const listed = [...sections]
  let value = encodeBase64Json({ applied, sections })
  while (value.length > MAX_HEADER_LENGTH && listed.length > 0) {
    listed.pop()
    value = encodeBase64Json({ applied, sections: listed })
  }
  return value
}

/** Parses the header `x-sidecard-sections-applied`; `undefined` if it is missing or malformed. */
export function parseConditionReport(value: string | undefined): ConditionReport | undefined {
  const report = value === undefined ? undefined : decodeBase64Json(value)
  const { applied, sections } = (report ?? {}) as Partial<ConditionReport>
  return isTitles(applied) && isTitles(sections) ? { applied, sections } : undefined
}

function isTitles(value: unknown): value is readonly string[] {
  return strings.accepts(value)
}
