import type { Receipt } from './receipts.ts'
import { seal, unseal } from '../links/seal.ts'
import type { Keys } from '../links/token.ts'

/** The part of a receipt that only the app can read. */
export interface ReceiptContent {
  /** The input of the action, as JSON. */
  readonly input: string
  /** The values of the form, as `run` received them. */
  readonly values: Readonly<Record<string, unknown>>
  /** The confirmed sentence. */
  readonly sentence: string
  /** The components that `run` returned, as JSON with marks instead of action links. */
  readonly result?: string | undefined
}

/** A longer result is not stored with the receipt. */
const MAX_RESULT_LENGTH = 65_536

/** Encrypts the content of a receipt, bound to its confirmation. */
export function sealContent(
  content: ReceiptContent,
  attemptId: string,
  { receipt }: Keys,
): Promise<string> {
  const { result = '' } = content
  const kept = result.length > MAX_RESULT_LENGTH ? { ...content, result: undefined } : content
  return seal({ rcp: kept, sub: attemptId }, receipt)
}

/**
 * Decrypts the content of a receipt; `undefined` if the secret is unknown, or if
 * the content belongs to another receipt.
 */
export async function openContent(
  { attemptId, encrypted }: Receipt,
  keys: readonly Keys[],
): Promise<ReceiptContent | undefined> {
  const receiptKeys = keys.map(({ receipt }) => receipt)
  const expected = { requiredClaims: ['rcp'], subject: attemptId }
  const opened = await unseal(encrypted, receiptKeys, expected, Date.now())
  return opened?.claims['rcp'] as ReceiptContent | undefined
}
