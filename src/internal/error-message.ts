import { readProperty } from './hostile-values.ts'

/** A longer chain is a mistake, or a cycle. */
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
  // Several failed connections are an error without a message.
  const text = depth > 0 && message === '' ? readProperty(error, 'code') : message
  return `${typeof text === 'string' ? text : ''}${cause === '' ? '' : ` (cause: ${cause})`}`
}
