import type { PayloadIssue } from './issues.ts'
import type { Payload } from './payload.ts'
import { encodePayload } from './walk.ts'

/** How {@link validatePayload} judges. */
export interface ValidateOptions {
  /**
   * The URI schemes that links and icons may have, in lower case (A9).
   * @default ['http', 'https']
   */
  readonly uriSchemes?: readonly string[]
  /**
   * What a field outside the contract's table is (A2): an issue, or left out of
   * the returned payload. A divider's is always an issue, as the contract says.
   * @default 'error'
   */
  readonly unknownFields?: 'error' | 'ignore'
}

/** The verdict on a payload. */
export type ValidationResult =
  | { readonly ok: true; readonly payload: Payload }
  | { readonly ok: false; readonly issues: PayloadIssue[] }

/**
 * Judges a value against the contract's payload. Never throws, whatever it is
 * given, and stops at 20 issues. The payload of a good verdict is a fresh plain
 * copy of exactly what was judged.
 *
 * @example
 * const verdict = validatePayload(await response.json())
 * if (!verdict.ok) for (const { path, message } of verdict.issues) console.error(path, message)
 *
 * @see docs/contract.md#payload
 */
export function validatePayload(value: unknown, options?: ValidateOptions): ValidationResult {
  const encoded = encodePayload(value, options)
  // The walk has one product, the text, so that there is one place to be wrong.
  return encoded.ok ? { ok: true, payload: JSON.parse(encoded.json) as Payload } : encoded
}
