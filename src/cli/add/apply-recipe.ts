import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SidecardError } from '../../internal/errors.ts'
import { usageError } from '../run-command.ts'
import type { ProjectFile } from '../new/templates.ts'
import type { Manifest, Project } from './project.ts'
import { readRecipeFiles, type Recipe } from './recipes.ts'

/** The changes of a recipe to a project. */
export interface AppliedRecipe {
  /** The relative paths of the new files. */
  readonly files: readonly string[]
  /** The packages that were added to package.json. */
  readonly packages: readonly string[]
}

/**
 * Adds a recipe to a project, completely or not at all. It never overwrites a
 * file.
 *
 * @throws {SidecardError} `usage` if a file already exists or the recipe does not support the template; `cannot_write` if writing fails
 */
export async function applyRecipe(recipe: Recipe, project: Project): Promise<AppliedRecipe> {
  const { folder, template } = project
  if (recipe.variants[template] === undefined) {
    const supported = Object.keys(recipe.variants).join(', ')
    throw usageError(
      `The recipe ${recipe.name} does not support the template ${template}. It supports: ${supported}.`,
    )
  }
  const files = await readRecipeFiles(recipe, template)
  await assertNoneExists(folder, files)
  const packages = missingPackages(recipe, project)
  const edits = [
    await editManifest(folder, packages),
    await editReadme(folder, recipe.readme),
  ].filter((edit) => edit !== undefined)
  await writeAll(folder, files, edits)
  return {
    files: files.map(({ path }) => path),
    packages: Object.values(packages).flatMap((each) => Object.keys(each)),
  }
}

async function assertNoneExists(folder: string, files: readonly ProjectFile[]): Promise<void> {
  const exists = await Promise.all(
    files.map(({ path }) =>
      lstat(join(folder, path)).then(
        () => true,
        () => false,
      ),
    ),
  )
  const taken = files.filter((_file, index) => exists[index]).map(({ path }) => path)
  if (taken.length === 0) return
  const verb = taken.length === 1 ? 'exists' : 'exist'
  throw usageError(`${taken.join(', ')} already ${verb}. No files were written.`)
}

type Packages = Required<Manifest>

function missingPackages(recipe: Recipe, { manifest, template }: Project): Packages {
  const installed = { ...manifest.dependencies, ...manifest.devDependencies }
  const pick = (kind: keyof Manifest) => {
    const required = { ...recipe[kind], ...recipe.variants[template]?.[kind] }
    return Object.fromEntries(Object.entries(required).filter(([name]) => !(name in installed)))
  }
  return { dependencies: pick('dependencies'), devDependencies: pick('devDependencies') }
}

interface Edit {
  readonly path: string
  readonly before: string
  readonly after: string
}

async function editManifest(folder: string, packages: Packages): Promise<Edit | undefined> {
  if (Object.values(packages).every((each) => Object.keys(each).length === 0)) return undefined
  const path = 'package.json'
  const before = await readFile(join(folder, path), 'utf8')
  const manifest = JSON.parse(before) as Record<string, unknown>
  for (const kind of ['dependencies', 'devDependencies'] as const) {
    if (Object.keys(packages[kind]).length === 0) continue
    const merged = { ...(manifest[kind] as object | undefined), ...packages[kind] }
    manifest[kind] = Object.fromEntries(Object.entries(merged).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  '
  return { path, before, after: `${JSON.stringify(manifest, undefined, indent)}\n` }
}

const HEADING = '## Recipes'

async function editReadme(folder: string, line: string): Promise<Edit | undefined> {
  const path = 'README.md'
  const before = await readFile(join(folder, path), 'utf8').catch(() => undefined)
  if (before === undefined) return undefined
  const text = before.trimEnd()
  const start = text.search(/^## Recipes$/m)
  if (start === -1) return { path, before, after: `${text}\n\n${HEADING}\n\n- ${line}\n` }
  const rest = text.slice(start + HEADING.length)
  const next = rest.search(/\n+## /)
  const section = (next === -1 ? rest : rest.slice(0, next)).trimEnd()
  const after = next === -1 ? '' : rest.slice(next).trimStart()
  const head = text.slice(0, start + HEADING.length)
  return {
    path,
    before,
    after: `${head}${section}\n- ${line}\n${after === '' ? '' : `\n${after}\n`}`,
  }
}

async function writeAll(
  folder: string,
  files: readonly ProjectFile[],
  edits: readonly Edit[],
): Promise<void> {
  const written: string[] = []
  const folders: string[] = []
  const edited: Edit[] = []
  try {
    for (const { path, content } of files) {
      const file = join(folder, path)
      // oxlint-disable-next-line no-await-in-loop -- a folder before its files
      const created = await mkdir(dirname(file), { recursive: true })
      if (created !== undefined) folders.push(created)
      // oxlint-disable-next-line no-await-in-loop -- the written files are removed in order
      await writeFile(file, content, { flag: 'wx' })
      written.push(file)
    }
    for (const edit of edits) {
      edited.push(edit)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await writeFile(join(folder, edit.path), edit.after)
    }
  } catch (error) {
    await Promise.allSettled([
      ...written.map((file) => rm(file)),
      ...edited.map(({ path, before }) => writeFile(join(folder, path), before)),
    ])
    await Promise.allSettled(folders.map((path) => rm(path, { recursive: true })))
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    const message = `Cannot write the recipe (${code}). No files were left behind.`
    throw new SidecardError('cannot_write', message, { cause: error })
  }
}
