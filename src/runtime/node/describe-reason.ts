import { errorMessage } from '../internal/error-message.ts'
import { readProperty } from '../internal/hostile-values.ts'

/**
 * Describes a thrown value by its stack and the messages of its causes. Other
 * properties are left out, because errors of HTTP clients may contain tokens.
 * Never throws.
 */
export function describeReason(reason: unknown): string {
  const stack = readProperty(reason, 'stack')
  const cause = errorMessage(readProperty(reason, 'cause'), 1)
  if (typeof stack !== 'string') return errorMessage(reason) || `a value of type ${typeof reason}`
  return cause === '' ? stack : `${stack}\n    cause: ${cause}`
}
