/** A response that is not valid, and the first reason. */
export interface InvalidResponse<Reason extends string> {
  readonly ok: false
  readonly reason: Reason
  /** The problem in one line, safe to print. */
  readonly message: string
  /** The fix, if it is more specific than that of the rule. */
  readonly fix?: string
}

/** Creates the result of a validation that failed. */
export function invalid<Reason extends string>(
  reason: Reason,
  message: string,
  fix?: string,
): InvalidResponse<Reason> {
  return { ok: false, reason, message, ...(fix !== undefined && { fix }) }
}
