import { isDeeperThan } from '../internal/is-deeper-than.ts'
import { locateJson, parseJson } from '../internal/parse-json.ts'
import { type FindPlace, problemAt } from './problem.ts'
import { type Project, readFiles } from './project.ts'

/**
 * Reads a project from the texts of its files by name, of at most a million
 * characters each. An entry of a later file replaces the entry of the same name.
 *
 * @throws {SidecardError} `invalid_project`, with the file, the line, the property and its fix, and without the value of a header or an ID
 */
export function parseProject(files: Readonly<Record<string, string>>): Project {
  return readFiles(Object.entries(files).map(parseFile))
}

function parseFile([name, text]: readonly [string, string]) {
  const json = text.replace(/^\uFEFF/, '')
  const fail = (problem: string, line = 1) => problemAt(() => `${name}:${line}`, [], problem)
  if (json.length > 1_000_000) throw fail('has more than a million characters')
  const parsed = parseJson(json)
  if (!parsed.ok) {
    const { line, column, kind } = parsed.error
    throw fail(`is not valid JSON (column ${column}: ${kind})`, line)
  }
  if (isDeeperThan(10, parsed.value)) throw fail('is nested too deeply')
  const { lineOf, ambiguous } = locateJson(json)
  const findPlace: FindPlace = (path) => `${name}:${lineOf(path)}`
  if (ambiguous === undefined) return { name, value: parsed.value, findPlace }
  throw problemAt(findPlace, ambiguous, 'is a duplicate, or is named __proto__. Rename it')
}
