import { card } from '../builders/card.ts'
import { text } from '../builders/text.ts'
import type { Card } from '../contract/payload.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import { SidecardError } from '../errors.ts'

/**
 * Why an answer had to be replaced, in whole or in part.
 *
 * - `callback_failed`: `fetchData` threw or rejected.
 * - `timeout`: `fetchData` had returned nothing at the deadline.
 * - `invalid_payload`: what it returned is not schema 1.0.0.
 * - `payload_too_large`: it is over `limits`.
 * - `section_failed`: a section or a promised component failed or was late; the rest is shown.
 *
 * @see docs/errors.md#faults
 */
export type FaultKind =
  | 'callback_failed'
  | 'timeout'
  | 'invalid_payload'
  | 'payload_too_large'
  | 'section_failed'

/**
 * What `onError` is given when the answer itself is at fault: the code is the
 * kind of fault, and `issues` says where a payload breaks the schema.
 */
export class AnswerError extends SidecardError {
  override readonly name = 'AnswerError'
  declare readonly code: Exclude<FaultKind, 'callback_failed' | 'section_failed'>
  readonly issues: readonly PayloadIssue[]

  constructor(code: AnswerError['code'], message: string, issues: readonly PayloadIssue[] = []) {
    super(code, message)
    this.issues = issues
  }
}

/** The issues of a payload as an error, the first of them in its message. */
export function invalidPayload(issues: readonly PayloadIssue[]): AnswerError {
  const [first] = issues
  const where = first === undefined ? '' : ` ${first.path || 'the payload'}: ${first.message}`
  return new AnswerError(
    'invalid_payload',
    `What fetchData returned is not a valid payload.${where}`,
    issues,
  )
}

const EXPLANATIONS = {
  failed: 'This could not be loaded. Try again in a moment.',
  late: 'This took too long to load. Try again in a moment.',
} as const

/** What an agent sees in place of what could not be shown. */
export function faultCard(
  title: string | undefined,
  why: keyof typeof EXPLANATIONS,
  traceId: string,
): Card {
  return card({
    ...(title !== undefined && { header: { title } }),
    components: [
      text({ label: 'Not available', value: EXPLANATIONS[why] }),
      text({ label: 'Trace', value: traceId }),
    ],
  })
}
