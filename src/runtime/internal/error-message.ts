import { isArray, readProperty } from './hostile-values.ts'

/** The maximum number of causes. A longer chain is a mistake, or a cycle. */
const MAX_CAUSES = 3

/**
 * Returns the message of a thrown value with the messages of its causes,
 * because `fetch failed` alone explains nothing. Never throws.
 */
export function errorMessage(error: unknown, depth = 0): string {
  if (typeof error === 'string') return error
  const value = readProperty(error, 'message')
  const message = typeof value === 'string' ? value : ''
  const cause = depth < MAX_CAUSES ? errorMessage(readProperty(error, 'cause'), depth + 1) : ''
  const text = message === '' ? describeInner(error, depth) : message
  return `${text}${cause === '' ? '' : ` (cause: ${cause})`}`
}

/**
 * Returns the messages of inner errors, because the error of several failed
 * connections has no message itself.
 */
function describeInner(error: unknown, depth: number): string {
  const inner = readProperty(error, 'errors')
  const errors = depth < MAX_CAUSES && isArray(inner) ? inner.slice(0, MAX_CAUSES) : []
  const messages = new Set(errors.map((each) => errorMessage(each, depth + 1)))
  messages.delete('')
  if (messages.size > 0) return [...messages].join('; ')
  const code = readProperty(error, 'code')
  return typeof code === 'string' ? code : ''
}
