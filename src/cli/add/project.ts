import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { detectPackageManager, type PackageManager } from '../new/package-manager.ts'
import { type Host, NODE, type TemplateName, WORKERS } from '../new/templates.ts'
import { parseJsonFile } from '../parse-json-file.ts'
import type { Manifest } from '../read-manifest.ts'
import { usageError } from '../run-command.ts'

/** A project that a recipe is added to. */
export interface Project {
  readonly folder: string
  readonly manifest: Manifest
  readonly host: Host
  /** The host and the database, such as `node-postgres`, if it has one of the templates'. */
  readonly template: TemplateName | undefined
  readonly manager: PackageManager
}

/**
 * Detects the host and the database of a project, and its package manager.
 *
 * @throws {SidecardError} `usage` if the folder does not contain a project that depends on sidecard
 */
export async function readProject(folder: string, userAgent: string | undefined): Promise<Project> {
  const manifest = await readManifest(folder)
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  if (!('sidecard' in dependencies)) {
    throw usageError(
      'package.json has no dependency sidecard. Run this in the folder of a project, or create one with sidecard new.',
    )
  }
  const host = 'wrangler' in dependencies ? WORKERS : NODE
  const database = await findDatabase(folder, host, dependencies)
  return {
    folder,
    manifest,
    host,
    template: database && `${host.name}-${database}`,
    manager:
      LOCK_FILES.find(([name]) => existsSync(join(folder, name)))?.[1] ??
      detectPackageManager(userAgent),
  }
}

async function findDatabase(
  folder: string,
  host: Host,
  dependencies: Readonly<Record<string, string>>,
): Promise<'d1' | 'postgres' | 'sqlite' | undefined> {
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')
  if (host === WORKERS) {
    const configs = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml']
    const texts = await Promise.all(configs.map(read))
    return texts.some((text) => D1_OF_THE_APP.test(text)) ? 'd1' : undefined
  }
  if ('pg' in dependencies) return 'postgres'
  return (await read('src/database.ts')).includes("'node:sqlite'") ? 'sqlite' : undefined
}

/** Other projects have a D1 database for the receipts of actions only. */
const D1_OF_THE_APP = /d1_databases\W+[^\]]*?binding"?\s*[:=]\s*"(?!CLAIMS"|RECEIPTS")/

/** @throws {SidecardError} `usage` if there is none, or if it is not valid JSON */
async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => {
    throw usageError(
      'This folder has no package.json. Run this in the folder of a project, or create one with sidecard new.',
    )
  })
  return parseJsonFile('package.json', text.replace(/^\uFEFF/, '')) as Manifest
}

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ['package-lock.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]
