import { InvalidComponentError } from '../builders/invalid-component-error.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import { AnswerError } from './faults.ts'
import type { LogFields } from '../internal/logger.ts'

const ERROR_NAME = /^(?:[A-Z][A-Za-z]{0,40})?(?:Error|Exception)$/

/** More than this in one line helps nobody. */
const MAX_LOGGED_ISSUES = 5

/**
 * What a log line may say of a thrown value: its class, and where a payload
 * breaks the schema. Never its message or stack: those may quote a customer's
 * data, and whoever wants them has `onError`.
 */
export function describeError(error: unknown): LogFields {
  try {
    if (!(error instanceof Error)) return { errorName: typeof error }
    const { name } = error
    const errorName = typeof name === 'string' && ERROR_NAME.test(name) ? name : 'Error'
    return error instanceof AnswerError || error instanceof InvalidComponentError
      ? { errorName, issues: error.issues.slice(0, MAX_LOGGED_ISSUES).map(placeOf) }
      : { errorName }
  } catch {
    return { errorName: 'unreadable' }
  }
}

/** The name of a field that the contract does not have may itself be a customer's data. */
function placeOf({ code, path }: PayloadIssue): LogFields {
  return { code, path: code === 'unknown_field' ? ownerOf(path) : path }
}

function ownerOf(path: string): string {
  const end = path.endsWith('"]') ? path.indexOf('["') : path.lastIndexOf('.')
  return path.slice(0, Math.max(end, 0))
}
