import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isRecord } from '../../runtime/internal/read-options.ts'
import { tryJson } from '../../runtime/internal/try-json.ts'

/** The parts of a package.json that commands read. They are written by hand. */
export interface Manifest {
  readonly name?: unknown
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly workspaces?: unknown
}

/**
 * Reads the package.json of a folder. Returns an empty object if there is none, or
 * if it is not valid JSON.
 */
export function readManifest(folder: string): Manifest {
  try {
    const manifest = tryJson(readFileSync(join(folder, 'package.json'), 'utf8'))
    return isRecord(manifest) ? manifest : {}
  } catch {
    return {}
  }
}

/** Returns the name of the package in a folder or, without one, of the folder. */
export function nameOfProject(folder: string): string {
  const { name } = readManifest(folder)
  return (typeof name === 'string' && name) || basename(folder) || 'app'
}
