import { isDeeperThan } from '../internal/is-deeper-than.ts'
import { locateJson, parseJson } from '../internal/parse-json.ts'
import { problemAt } from './problem.ts'
import type { Project, ProjectSource } from './project.ts'
import { mergeFiles } from './read-project.ts'

/** The text of a file of the project. */
export interface ProjectText {
  /** The name in messages, such as `sidecard.json`. */
  readonly name: string
  readonly text: string
  /** Whether git ignores the file. @default false */
  readonly isLocal?: boolean
}

/**
 * Reads a project from its files, of at most a million characters each. An entry
 * of a later file replaces the entry of the same name.
 *
 * @throws {SidecardError} `invalid_project`, with the file, the line, the property and its fix, and without the value of a header or an ID
 */
export function parseProject(files: readonly ProjectText[]): Project {
  return mergeFiles(files.map(parseFile))
}

function parseFile({ name, text, isLocal = false }: ProjectText): ProjectSource {
  const json = text.replace(/^\uFEFF/, '')
  const fail = (problem: string, line = 1) =>
    problemAt({ file: name, lineOf: () => line }, [], problem)
  if (json.length > 1_000_000) throw fail('has more than a million characters')
  const parsed = parseJson(json)
  if (!parsed.ok) {
    const { line, column, kind } = parsed.error
    throw fail(`is not valid JSON (column ${column}: ${kind})`, line)
  }
  if (isDeeperThan(10, parsed.value)) throw fail('is nested too deeply')
  const { lineOf, ambiguous } = locateJson(json)
  const source = { file: name, value: parsed.value, isLocal, lineOf }
  if (ambiguous === undefined) return source
  throw problemAt(source, ambiguous, 'is a duplicate, or is named __proto__. Rename it')
}
