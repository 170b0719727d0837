import type { PayloadIssue, PayloadIssueCode } from '../contract/issues.ts'
import { throwInvalid } from './invalid-component-error.ts'

/** A problem of an argument. */
export interface InvalidArgument {
  readonly path: string
  /** @default 'invalid_type' */
  readonly code?: PayloadIssueCode
  /** A lowercase fragment that never repeats a value. */
  readonly message: string
  /** One imperative sentence. */
  readonly fix: string
}

/** Throws an `InvalidComponentError` whose stack starts at the caller of the builder. */
export function throwInvalidArgument(
  builder: Function,
  name: string,
  problems: ReadonlyArray<InvalidArgument | PayloadIssue>,
): never {
  const issues: PayloadIssue[] = problems.map((problem) => ({ code: 'invalid_type', ...problem }))
  return throwInvalid(builder, name, issues)
}
