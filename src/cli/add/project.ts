import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { detectPackageManager, type PackageManager } from '../new/package-manager.ts'
import { type Host, HOSTS, type TemplateName } from '../new/templates.ts'
import { usageError } from '../run-command.ts'

/** The parts of a package.json that recipes use. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

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
    manager: await findManager(folder, userAgent),
  }
}

const [WORKERS, NODE] = HOSTS

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

async function readManifest(folder: string): Promise<Manifest> {
  let text: string
  try {
    text = await readFile(join(folder, 'package.json'), 'utf8')
  } catch {
    throw usageError(
      'This folder has no package.json. Run this in the folder of a project, or create one with sidecard new.',
    )
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Manifest
  } catch {
    throw usageError('package.json is not valid JSON. Fix it first.')
  }
}

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ['package-lock.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]

async function findManager(folder: string, userAgent: string | undefined): Promise<PackageManager> {
  const found = await Promise.all(
    LOCK_FILES.map(([name]) =>
      access(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return LOCK_FILES[found.indexOf(true)]?.[1] ?? detectPackageManager(userAgent)
}
