/** Makes the unique code of one handshake. */
export type CodeSource = () => string

/** A fresh random code for each handshake, as the contract asks. @see docs/contract.md#requests */
export const randomCode: CodeSource = () => crypto.randomUUID()

/** Codes that are unique yet the same on every run: `code-1`, `code-2`, … */
export function countedCodes(prefix = 'code'): CodeSource {
  let count = 0
  return () => `${prefix}-${(count += 1)}`
}
