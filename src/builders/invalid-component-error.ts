import type { PayloadIssue } from '../contract/issues.ts'
import { SidecardError } from '../internal/errors.ts'
import { consumeRejections } from '../internal/user-code.ts'

/**
 * The maximum number of issues in a message. More would hide the first one,
 * which is often the cause.
 */
const MAX_SHOWN = 5

/**
 * The error of a builder that was called with invalid fields. Its stack starts
 * at the line that called the builder.
 *
 * @see docs/errors.md#error-codes
 */
export class InvalidComponentError extends SidecardError {
  override readonly name = 'InvalidComponentError'
  /** The problems and their fixes. Paths start at the builder's argument. */
  readonly issues: readonly PayloadIssue[]

  constructor(builder: string, issues: readonly PayloadIssue[]) {
    super('invalid_component', `${builder}():${summarize(issues)}`)
    this.issues = issues
  }
}

function summarize(issues: readonly PayloadIssue[]): string {
  const lines = issues
    .slice(0, MAX_SHOWN)
    .map(({ path, message, fix }) => `${path === '' ? '' : `${path}: `}${message}. ${fix}`)
  if (issues.length > MAX_SHOWN) lines.push(`and ${issues.length - MAX_SHOWN} more`)
  return lines.length === 1 ? ` ${lines.join('')}` : lines.map((line) => `\n  - ${line}`).join('')
}

/** Only V8 has `captureStackTrace`, and the portable type-check has no types of a runtime. */
type StackCapturer = { captureStackTrace?: (error: Error, above: Function) => void }

/**
 * Throws an {@link InvalidComponentError} with the builder's caller on top of
 * the stack, and consumes the rejections of promises in the builder's argument.
 *
 * @param name of the builder: a minified function has lost its own
 */
export function throwInvalid(
  builder: Function,
  name: string,
  issues: readonly PayloadIssue[],
  argument?: unknown,
): never {
  consumeRejections(argument)
  const error = new InvalidComponentError(name, issues)
  ;(Error as StackCapturer).captureStackTrace?.(error, builder)
  throw error
}
