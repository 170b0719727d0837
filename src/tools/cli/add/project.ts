import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detectPackageManager, type PackageManager } from '../new/package-manager.ts'
import { type Host, NODE, type TemplateName, WORKERS } from '../new/templates.ts'
import { decodeText } from '../local-secrets.ts'
import { parseJsonFile } from '../parse-json-file.ts'
import type { Manifest } from '../read-manifest.ts'
import { usageError } from '../run-command.ts'

/** A project that a recipe is added to. */
export interface Project {
  readonly folder: string
  readonly manifest: Manifest
  readonly host: Host
  /** The template with the same host and database, such as `node-postgres`, if there is one. */
  readonly template: TemplateName | undefined
  readonly manager: PackageManager
}

/**
 * Matches a D1 database of the app's own data, and not one that is only for
 * receipts of actions.
 */
const D1_OF_THE_APP = /d1_databases\W+[^\]]*?binding"?\s*[:=]\s*"(?!CLAIMS"|RECEIPTS")/

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ['package-lock.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]

/**
 * Detects the host and the database of a project, and its package manager.
 *
 * @throws {SidecardError} `usage` if the folder does not contain a project that depends on sidecard
 */
export function readProject(folder: string, userAgent: string | undefined): Project {
  const has = (name: string) => existsSync(join(folder, name))
  const read = (name: string) => (has(name) ? decodeText(readFileSync(join(folder, name))) : '')
  if (!has('package.json')) {
    throw usageError(
      'This folder has no package.json. Run this in the folder of a project, or create one with sidecard new.',
    )
  }
  const manifest = parseJsonFile('package.json', read('package.json')) as Manifest
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  if (!('sidecard' in dependencies)) {
    throw usageError(
      'package.json has no dependency sidecard. Run this in the folder of a project, or create one with sidecard new.',
    )
  }
  const host = 'wrangler' in dependencies ? WORKERS : NODE
  const configs = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml']
  const isD1 = () => configs.some((name) => D1_OF_THE_APP.test(read(name)))
  const isSqlite = () => read('src/database.ts').includes("'node:sqlite'")
  let template: TemplateName | undefined
  if (host === WORKERS) template = isD1() ? 'workers-d1' : undefined
  else if ('pg' in dependencies) template = 'node-postgres'
  else if (isSqlite()) template = 'node-sqlite'
  const [, manager] = LOCK_FILES.find(([name]) => has(name)) ?? []
  return {
    folder,
    manifest,
    host,
    template,
    manager: manager ?? detectPackageManager(userAgent),
  }
}
