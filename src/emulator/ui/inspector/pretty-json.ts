import { applyEdits, format } from 'jsonc-parser'
import { isJson } from '../playground/is-json.ts'

/**
 * JSON with line ends and indents, every token as it came: a number too large
 * for JavaScript keeps its digits. Any other text is left as it is.
 */
export function prettyJson(body: string): string {
  if (body.length > MAX_LENGTH || !isJson(body)) return body
  return applyEdits(body, format(body, undefined, { tabSize: 2, insertSpaces: true }))
}

const MAX_LENGTH = 262_144
