import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseProject } from '../../project/parse-project.ts'
import {
  type Project,
  PROJECT_FILES,
  type ProjectCustomer,
  type ProjectState,
} from '../../project/project.ts'
import { explainFileError } from '../file-error.ts'
import { decodeText } from '../local-secrets.ts'
import { usageError } from '../run-command.ts'

/** The project of a folder. */
export interface FoundProject extends Project {
  /** The folder of `sidecard.json`, which contains local secrets and in which commands run. */
  readonly folder: string
}

/**
 * Reads the project of a folder. The search goes upward, and ends at the first
 * folder with a `.git` or a package.json.
 *
 * @returns a project without entries if there is no file
 * @throws {SidecardError} `invalid_project`, or `usage` for a file that cannot be read
 */
export function findProject(cwd: string): FoundProject {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const has = (name: string) => existsSync(join(folder, name))
    if (PROJECT_FILES.some(has)) return { ...readFiles(folder), folder }
    if (has('.git') || has('package.json') || dirname(folder) === folder) break
  }
  return { ...parseProject({}), folder: cwd }
}

/**
 * Reads the files of a project.
 *
 * @param texts of files that are not written yet, by name
 * @throws {SidecardError} `invalid_project`, or `usage` for a file that cannot be read
 */
export function readFiles(folder: string, texts: Readonly<Record<string, string>> = {}): Project {
  const files = PROJECT_FILES.flatMap((name) => {
    const path = join(folder, name)
    const text = texts[name]
    if (text !== undefined) return [[name, text] as const]
    if (!existsSync(path)) return []
    try {
      return [[name, decodeText(readFileSync(path))] as const]
    } catch (error) {
      throw usageError(`Cannot read ${JSON.stringify(path)}: ${explainFileError(error)}.`)
    }
  })
  return parseProject(Object.fromEntries(files))
}

/** Describes a customer or a state, with its place if it is in the local file. */
export function describeEntry({ name, place }: ProjectCustomer | ProjectState): string {
  return place.startsWith(PROJECT_FILES[1]) ? `${name} (${place})` : name
}
