import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { detectPackageManager, type PackageManager } from '../new/package-manager.ts'
import { type Template, type TemplateName, TEMPLATES } from '../new/templates.ts'
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
  readonly template: TemplateName
  readonly secretsFile: Template['secretsFile']
  readonly manager: PackageManager
}

/**
 * Detects the template that a project was created from, and its package manager.
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
  const template = await detectTemplate(folder, dependencies)
  return {
    folder,
    manifest,
    template,
    secretsFile: TEMPLATES.find(({ name }) => name === template)?.secretsFile ?? '.env',
    manager: await findManager(folder, userAgent),
  }
}

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

/** The other templates have a D1 database for their claims only. */
const D1_OF_THE_APP = /d1_databases\W+[^\]]*?binding"?\s*[:=]\s*"(?!CLAIMS")/

async function detectTemplate(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<TemplateName> {
  if (!('wrangler' in dependencies)) return 'pg' in dependencies ? 'node-postgres' : 'node'
  const files = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml']
  const configs = await Promise.all(
    files.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  )
  return configs.some((text) => D1_OF_THE_APP.test(text)) ? 'workers-d1' : 'workers'
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
