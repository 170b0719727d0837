/** Creates the code of one handshake. */
export type CodeGenerator = () => string

/**
 * Creates a random code for each handshake.
 *
 * @example
 * const service = createTestService(app, { codes: randomCode })
 *
 * @see docs/contract.md#requests
 */
export const randomCode: CodeGenerator = () => crypto.randomUUID()

/** Creates codes that are unique and the same on every run: `code-1`, `code-2`, … */
export function sequentialCodes(prefix = 'code'): CodeGenerator {
  let count = 0
  return () => `${prefix}-${(count += 1)}`
}
