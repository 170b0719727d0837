import type { PayloadIssue } from '../contract/issues.ts'
import { SidecardError } from '../errors.ts'

/** More than this in one message hides the first, which is often the cause. */
const MAX_SHOWN = 5

/**
 * A builder was given what the contract refuses. Its stack starts at the line
 * that called the builder; `issues` says what is wrong, where, and the fix.
 *
 * @see docs/errors.md#codes-of-thrown-errors
 */
export class InvalidComponentError extends SidecardError {
  override readonly name = 'InvalidComponentError'
  /** What is wrong; paths start at the builder's argument. */
  readonly issues: readonly PayloadIssue[]

  constructor(builder: string, issues: readonly PayloadIssue[]) {
    super('invalid_component', `${builder}(): ${summaryOf(issues)}`)
    this.issues = issues
  }
}

function summaryOf(issues: readonly PayloadIssue[]): string {
  const lines = issues
    .slice(0, MAX_SHOWN)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`))
  if (issues.length > MAX_SHOWN) lines.push(`and ${issues.length - MAX_SHOWN} more`)
  return lines.length === 1 ? lines.join('') : lines.map((line) => `\n  - ${line}`).join('')
}

/** V8 alone has it, and the portable type-check knows no host. */
type StackCapturer = { captureStackTrace?: (error: Error, above: Function) => void }

/**
 * Throws for a builder, with the caller of the builder on top of the stack.
 *
 * @param name of the builder: a minified one has lost its own
 */
export function refuse(builder: Function, name: string, issues: readonly PayloadIssue[]): never {
  const error = new InvalidComponentError(name, issues)
  ;(Error as StackCapturer).captureStackTrace?.(error, builder)
  throw error
}
