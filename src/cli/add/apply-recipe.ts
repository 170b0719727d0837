import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { usageError } from '../run-command.ts'
import { addSeed, createMigration } from './add-sql.ts'
import { addVariables } from './add-variables.ts'
import { editText, readProjectFile } from './edit-text.ts'
import type { ProjectFile } from '../new/templates.ts'
import type { WriteOptions } from '../new/write-project.ts'
import { type FileWrite, writeAll } from './write-all.ts'
import type { Manifest, Project } from './project.ts'
import { findVariant, readRecipeFiles, type Recipe } from './recipes.ts'

/** The changes of a recipe to a project. */
export interface AppliedRecipe {
  /** The relative paths of the new files. */
  readonly files: readonly string[]
  /** The relative paths of the changed files. */
  readonly edited: readonly string[]
  /** The packages that were added to package.json. */
  readonly packages: readonly string[]
  /** The changes that were not made because a file differs from the template. */
  readonly manual: readonly string[]
  /** The files of the recipe, if the project already has all of them. Nothing was changed then. */
  readonly present: readonly string[]
}

/**
 * Adds a recipe to a project, completely or not at all. It never overwrites a
 * file, and changes a file only where it still looks like the template's.
 *
 * @throws {SidecardError} `usage` if a file already exists or the recipe does not support the template; `cannot_write` if writing fails; `interrupted` when the signal aborted
 */
export async function applyRecipe(
  recipe: Recipe,
  project: Project,
  options: WriteOptions,
): Promise<AppliedRecipe> {
  const { folder, host, template } = project
  if (findVariant(recipe, project) === undefined) {
    const supported = Object.keys(recipe.variants).join(', ')
    throw usageError(
      `The recipe ${recipe.name} does not support this project (${template ?? `${host.name} without a database`}). It supports: ${supported}.`,
    )
  }
  const own = await readRecipeFiles(recipe, project)
  const present = await findExisting(folder, own)
  if (present.length === own.length) {
    return { files: [], edited: [], packages: [], manual: [], present }
  }
  const files = [...own, ...(await createMigration(folder, recipe))]
  assertNoneExists([...present, ...(await findExisting(folder, files.slice(own.length)))])
  const packages = missingPackages(recipe, project)
  const changes = [
    ...(await addVariables(project, recipe.variables ?? {})),
    ...(await addSeed(folder, recipe)),
  ]
  const edits = [
    ...changes.flatMap((edit) => ('write' in edit ? [edit.write] : [])),
    await editManifest(folder, packages),
    await editReadme(folder, recipe.readme),
  ].filter((edit) => edit !== undefined)
  await writeAll(folder, [...files, ...edits], options)
  return {
    files: files.map(({ path }) => path),
    edited: edits.map(({ path }) => path),
    packages: Object.values(packages).flatMap((each) => Object.keys(each)),
    manual: changes.flatMap((edit) => ('step' in edit ? [edit.step] : [])),
    present: [],
  }
}

async function findExisting(folder: string, files: readonly ProjectFile[]): Promise<string[]> {
  const exists = await Promise.all(
    files.map(({ path }) =>
      lstat(join(folder, path)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return files.filter((_file, index) => exists[index]).map(({ path }) => path)
}

function assertNoneExists(taken: readonly string[]): void {
  if (taken.length === 0) return
  const verb = taken.length === 1 ? 'exists' : 'exist'
  throw usageError(`${taken.join(', ')} already ${verb}. No files were written.`)
}

type Packages = Required<Manifest>

function missingPackages(recipe: Recipe, project: Project): Packages {
  const { manifest } = project
  const installed = { ...manifest.dependencies, ...manifest.devDependencies }
  const pick = (kind: keyof Manifest) => {
    const required = { ...recipe[kind], ...findVariant(recipe, project)?.[kind] }
    return Object.fromEntries(Object.entries(required).filter(([name]) => !(name in installed)))
  }
  return { dependencies: pick('dependencies'), devDependencies: pick('devDependencies') }
}

async function editManifest(folder: string, packages: Packages): Promise<FileWrite | undefined> {
  if (Object.values(packages).every((each) => Object.keys(each).length === 0)) return undefined
  const path = 'package.json'
  const before = await readFile(join(folder, path), 'utf8')
  const content = editText(before, (text) => {
    const manifest = JSON.parse(text) as Record<string, unknown>
    for (const kind of ['dependencies', 'devDependencies'] as const) {
      if (Object.keys(packages[kind]).length === 0) continue
      const merged = { ...(manifest[kind] as object | undefined), ...packages[kind] }
      const sorted = Object.entries(merged).sort(([a], [b]) => (a < b ? -1 : 1))
      manifest[kind] = Object.fromEntries(sorted)
    }
    const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
    return `${JSON.stringify(manifest, undefined, indent)}\n`
  })
  return { path, before, content }
}

const HEADING = '## Recipes'

async function editReadme(folder: string, line: string): Promise<FileWrite | undefined> {
  const path = 'README.md'
  const before = await readProjectFile(folder, path)
  if (before === undefined) return undefined
  return { path, before, content: editText(before, (text) => addLine(text.trimEnd(), line)) }
}

function addLine(text: string, line: string): string {
  const start = text.search(/^## Recipes$/m)
  if (start === -1) return `${text}\n\n${HEADING}\n\n- ${line}\n`
  const rest = text.slice(start + HEADING.length)
  const next = rest.search(/\n+## /)
  const section = (next === -1 ? rest : rest.slice(0, next)).trimEnd()
  const after = next === -1 ? '' : rest.slice(next).trimStart()
  const head = text.slice(0, start + HEADING.length)
  return `${head}${section}\n- ${line}\n${after === '' ? '' : `\n${after}\n`}`
}
