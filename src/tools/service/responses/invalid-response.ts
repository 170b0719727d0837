import { quote } from '../../internal/escape-for-display.ts'
import { parseJson } from '../../internal/parse-json.ts'

/** A response that is not valid, and the first reason. */
export interface InvalidResponse<Reason extends string> {
  readonly ok: false
  readonly reason: Reason
  /** The problem in one line, safe to print. */
  readonly message: string
  /** The fix, if it is more specific than that of the rule. */
  readonly fix?: string
}

/** Describes a text that is not JSON, with the place of the first error. */
export function describeJsonError(text: string): string {
  const parsed = parseJson(text)
  if (parsed.ok || text === '') return 'the body is empty'
  const { kind, line, column } = parsed.error
  return `the body is not JSON (${kind} at line ${line}, column ${column}): ${quote(text)}`
}

/** Creates the result of a validation that failed. */
export function invalid<Reason extends string>(
  reason: Reason,
  message: string,
  fix?: string,
): InvalidResponse<Reason> {
  return { ok: false, reason, message, ...(fix !== undefined && { fix }) }
}
