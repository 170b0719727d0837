import { describeType, quoteName } from '../contract/explain.ts'
import { isObject } from '../contract/write-values.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import { closestMatch } from '../internal/closest-match.ts'

/** The maximum number of unknown options that are listed. */
const MAX_UNKNOWN = 20

/** Returns the issues of options that are not an object, and of options that a function does not have. */
export function findOptionIssues(
  options: unknown,
  known: readonly string[],
  example: string,
): PayloadIssue[] {
  if (!isObject(options)) {
    const message = `must be an object, got ${describeType(options)}`
    return [
      { path: 'options', code: 'invalid_type', message, fix: `Pass an object such as ${example}.` },
    ]
  }
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  return unknown.slice(0, MAX_UNKNOWN).map((name) => {
    const suggestion = closestMatch(name, known)
    const fix = suggestion === undefined ? 'Remove it.' : `Rename it to "${suggestion}".`
    return {
      path: 'options',
      code: 'unknown_field',
      message: `has no option ${quoteName(name)}`,
      fix,
    }
  })
}
