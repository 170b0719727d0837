import { formatIssue, type PayloadIssue } from '../contract/issues.ts'
import type { CardItem } from '../builders/components/children.ts'
import type { EncodeResult } from '../contract/validation.ts'
import type { Card } from '../contract/generated/types.ts'
import { SidecardError } from '../internal/errors.ts'

/**
 * The error that `onError` receives if the return value of `fetchData` cannot be
 * sent. The code is the kind of failure, and `issues` lists the violations of the
 * schema.
 *
 * @example
 * onError: (error, ctx) => {
 *   if (error instanceof PayloadError) ctx.log.warn('invalid payload', { issues: error.issues.length })
 * }
 *
 * @see docs/errors.md#failures
 */
export class PayloadError extends SidecardError {
  override readonly name = 'PayloadError'
  declare readonly code: 'invalid_payload' | 'payload_too_large'
  readonly issues: readonly PayloadIssue[]

  constructor(code: PayloadError['code'], message: string, issues: readonly PayloadIssue[] = []) {
    super(code, message)
    this.issues = issues
  }
}

/** Creates the error for validation issues, with the first one in its message. */
export function createInvalidPayloadError(issues: readonly PayloadIssue[]): PayloadError {
  const [first] = issues
  const where = first === undefined ? '' : ` ${formatIssue(first, 'the payload')}`
  const message = `fetchData returned an invalid payload.${where}`
  return new PayloadError('invalid_payload', message, issues)
}

/**
 * Returns an encoded value, unless it has validation issues.
 *
 * @throws {PayloadError} `invalid_payload`
 */
export function requireValid(encoded: EncodeResult): Extract<EncodeResult, { ok: true }> {
  if (encoded.ok) return encoded
  throw createInvalidPayloadError(encoded.issues)
}

/**
 * The error of `identify()` if a lookup fails; `cause` is the lookup's error. No
 * weaker lookup is tried. Do not catch it.
 *
 * @see docs/errors.md#failures
 */
export class IdentityError extends SidecardError {
  override readonly name = 'IdentityError'
  /**
   * The components that the option `failed` of `identify()` returned, instead of the
   * failure card.
   */
  readonly children: ReadonlyArray<Card | CardItem> | undefined

  constructor(cause: unknown, children?: ReadonlyArray<Card | CardItem>) {
    super('identity_failed', 'A lookup of identify() failed.', { cause })
    this.children = children
  }
}
