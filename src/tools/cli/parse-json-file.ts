import { parseJson } from '../internal/parse-json.ts'
import { usageError } from './run-command.ts'

/**
 * Parses a file that the user named. An invalid file is reported with the place of
 * its first error.
 */
export function parseJsonFile(name: string, text: string): unknown {
  const parsed = parseJson(text)
  if (parsed.ok) return parsed.value
  const { line, column, kind } = parsed.error
  throw usageError(`${name} is not valid JSON (line ${line}, column ${column}: ${kind}).`)
}
