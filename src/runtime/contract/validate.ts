import { encodePayload } from './encode.ts'
import type { Payload } from './generated/types.ts'
import type { Invalid, ValidateOptions } from './validation.ts'

/** The result of {@link validatePayload}. */
export type ValidationResult = { readonly ok: true; readonly payload: Payload } | Invalid

/**
 * Validates a value against the contract's payload. Never throws, for any value.
 * The payload of a valid result is a plain copy.
 *
 * @example
 * const result = validatePayload(await response.json())
 * if (!result.ok) for (const { path, message, fix } of result.issues) console.error(path, message, fix)
 *
 * @see docs/contract.md#payload
 */
export function validatePayload(value: unknown, options?: ValidateOptions): ValidationResult {
  const encoded = encodePayload(value, options)
  return encoded.ok ? { ok: true, payload: JSON.parse(encoded.json) as Payload } : encoded
}
