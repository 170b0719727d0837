import { formatIssue, type PayloadIssue, type PayloadIssueCode } from '../../contract/issues.ts'
import { createPromiseIssue } from '../../contract/report.ts'
import { SidecardError } from '../../internal/errors.ts'
import { isInstance, isThenable } from '../../internal/hostile-values.ts'
import { consumeRejections } from '../../internal/user-code.ts'

/**
 * The maximum number of issues in a message. More would hide the first one,
 * which is often the cause.
 */
const MAX_SHOWN = 5

/**
 * The error of a builder that was called with invalid fields. Its stack starts
 * at the line that called the builder.
 *
 * @example
 * try {
 *   link({ label: 'Site', url: account.website })
 * } catch (error) {
 *   if (error instanceof InvalidComponentError) console.warn(error.issues[0]?.fix)
 * }
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
  const lines = issues.slice(0, MAX_SHOWN).map((issue) => formatIssue(issue))
  if (issues.length > MAX_SHOWN) lines.push(`and ${issues.length - MAX_SHOWN} more`)
  return lines.length === 1 ? ` ${lines.join('')}` : lines.map((line) => `\n  - ${line}`).join('')
}

/**
 * Creates the issue of an invalid argument, or of a promise in its place.
 *
 * @param message a lowercase fragment that never repeats a value
 * @param fix one imperative sentence
 */
export function argumentIssue(
  path: string,
  value: unknown,
  message: string,
  fix: string,
  code: PayloadIssueCode = 'invalid_type',
): PayloadIssue {
  return isThenable(value) ? createPromiseIssue(path) : { path, code, message, fix }
}

/**
 * Throws an {@link InvalidComponentError}; see {@link throwToCaller}. A promise
 * deep in the arguments is a separate issue if no other issue names one.
 *
 * @param name the name of the builder, because a minified function has lost its
 * own
 * @param args all arguments of the builder
 */
export function throwInvalid(
  builder: Function,
  name: string,
  issues: readonly PayloadIssue[],
  args?: unknown,
): never {
  const isHidden =
    consumeRejections(args) && issues.every(({ code }) => code !== 'unawaited_promise')
  const message = 'contains a value that is a promise: await it'
  const hidden = isHidden ? [{ ...createPromiseIssue(''), message }] : []
  return throwToCaller(builder, new InvalidComponentError(name, [...issues, ...hidden]))
}

/**
 * The type of `captureStackTrace`, which only V8 has, and which the portable
 * type-check does not know.
 */
type StackCapturer = { captureStackTrace?: (error: Error, above: Function) => void }

/**
 * Throws an error with the builder's caller on top of the stack, and consumes the
 * rejections of promises in the builder's arguments. An error that a getter threw
 * keeps its stack.
 */
export function throwToCaller(builder: Function, error: unknown, args?: unknown): never {
  consumeRejections(args)
  if (isInstance(error, SidecardError)) {
    ;(Error as StackCapturer).captureStackTrace?.(error, builder)
  }
  throw error
}
