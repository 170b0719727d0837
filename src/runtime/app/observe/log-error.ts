import { isSidecardError } from '../../internal/errors.ts'
import type { LogFields } from '../../internal/logger.ts'
import { errorMessage } from '../../internal/error-message.ts'
import type { ErrorDetail } from '../../internal/failure-detail.ts'
import { readProperty } from '../../internal/hostile-values.ts'

/** The logged part of an error: the message, stack and validation issues, or only the name. */
export type LogErrors = 'full' | 'name'

/** Describes any thrown value for the log. Never throws. */
export function describeError(error: unknown, logErrors: LogErrors): LogFields {
  const { name, message, stack, issues } = toErrorDetail(error)
  if (logErrors === 'full') return { name, message, stack, issues }
  return { name, issues: issues?.map(({ code, path }) => ({ code, path: knownPath(code, path) })) }
}

/** Shortens the path of an unknown field, whose name may be customer data. */
function knownPath(code: string, path: string): string {
  const isUnknown = code === 'unknown_field' || code === 'divider_field'
  return isUnknown ? path.replace(/\.?[\w$]+$|\["[^]*$/, '') : path
}

/** Reads the parts of a thrown value. Never throws. */
export function toErrorDetail(error: unknown): ErrorDetail {
  // Other errors, such as zod's, have issues of another shape, and repeat them in the message.
  const issues = isSidecardError(error) ? readProperty(error, 'issues') : undefined
  return {
    name: readString(error, 'name') ?? typeof error,
    message: errorMessage(error),
    stack: readString(error, 'stack'),
    issues: Array.isArray(issues) ? (issues as ErrorDetail['issues']) : undefined,
  }
}

function readString(error: unknown, key: string): string | undefined {
  const value = readProperty(error, key)
  return typeof value === 'string' ? value : undefined
}
