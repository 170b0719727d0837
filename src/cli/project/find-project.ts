import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  formatPlace,
  parseProject,
  type Project,
  type ProjectCustomer,
  type ProjectState,
  type ProjectText,
} from '../../project/index.ts'
import { explainFileError } from '../file-error.ts'
import { decodeText } from '../local-secrets.ts'
import { usageError } from '../run-command.ts'

/** The project of a folder. */
export interface FoundProject extends Project {
  /** The folder of `sidecard.json`, which contains local secrets and in which commands run. */
  readonly folder: string
}

/** The files of a project. A later one takes precedence. */
export const PROJECT_FILES = ['sidecard.json', 'sidecard.local.json'] as const

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
  return { apps: [], customers: [], states: [], folder: cwd }
}

/**
 * Reads the files of a project.
 *
 * @param texts of files that are not written yet, by name
 * @throws {SidecardError} `invalid_project`, or `usage` for a file that cannot be read
 */
export function readFiles(folder: string, texts: Readonly<Record<string, string>> = {}): Project {
  const files = PROJECT_FILES.flatMap((name): readonly ProjectText[] => {
    const path = join(folder, name)
    const isLocal = name !== 'sidecard.json'
    const text = texts[name]
    if (text !== undefined) return [{ name, text, isLocal }]
    if (!existsSync(path)) return []
    try {
      return [{ name, text: decodeText(readFileSync(path)), isLocal }]
    } catch (error) {
      throw usageError(`Cannot read ${JSON.stringify(path)}: ${explainFileError(error)}.`)
    }
  })
  return parseProject(files)
}

/** Describes a customer or a state, with its place if it is in the local file. */
export function describeEntry({ name, place, isLocal }: ProjectCustomer | ProjectState): string {
  return isLocal ? `${name} (${formatPlace(place)})` : name
}
