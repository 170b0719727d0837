import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { usageError } from '../run-command.ts'
import { ACTIONS_FILE, addToActions, type Edit, listEdits } from './edits.ts'
import type { ProjectFile } from '../new/templates.ts'
import { type FileWrite, writeFiles, type WriteOptions } from '../new/write-files.ts'
import type { Project } from './project.ts'
import {
  findParts,
  type FoundParts,
  readActionParts,
  readRecipeFile,
  readRecipeFiles,
  type Recipe,
} from './recipes.ts'

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
  /**
   * The files of the recipe, if the project already has all of them, so that nothing
   * was changed.
   */
  readonly present: readonly string[]
  /** The parts that the recipe consists of in this project. */
  readonly parts: readonly FoundParts[]
}

/**
 * Adds a recipe to a project, completely or not at all. It never overwrites a
 * file, and only changes parts that still look like the template's.
 *
 * @throws {SidecardError} `usage` if a file already exists or the recipe does not
 * support the template; `cannot_write` if writing fails; `interrupted` when the
 * signal aborted
 */
export async function applyRecipe(
  recipe: Recipe,
  project: Project,
  options: WriteOptions,
): Promise<AppliedRecipe> {
  const { folder, host, template, manifest } = project
  const parts = findParts(recipe, project)
  if (parts === undefined) {
    const supported = Object.keys(recipe.variants).join(', ')
    throw usageError(
      `The recipe ${recipe.name} does not support this project (${template ?? `${host.name} without a database`}). It supports: ${supported}.`,
    )
  }
  const own = await readRecipeFiles(parts, host.name)
  const present = await findExisting(folder, own)
  if (present.length === own.length) {
    return { files: [], edited: [], packages: [], manual: [], present, parts: [] }
  }
  const shared = await findShared(recipe, project)
  const added = await Promise.all(shared.map((each) => readRecipeFiles(each, host.name)))
  const all = [parts, ...shared]
  const tables = await Promise.all(all.map((each) => createMigration(folder, each)))
  const files = [...own, ...[...added, ...tables].flat()].map((file) =>
    file.path === ACTIONS_FILE ? { ...file, content: addToActions(file.content, recipe)! } : file,
  )
  const taken = [...present, ...(await findExisting(folder, files.slice(own.length)))]
  if (taken.length > 0) {
    const verb = taken.length === 1 ? 'exists' : 'exist'
    throw usageError(`${taken.join(', ')} already ${verb}. No files were written.`)
  }
  const installed = { ...manifest.dependencies, ...manifest.devDependencies }
  const pickMissing = (required: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(required).filter(([name]) => !(name in installed)))
  const packages = {
    dependencies: pickMissing(parts.dependencies),
    devDependencies: pickMissing(parts.devDependencies),
  }
  const edits = await Promise.all(
    (await listEdits(recipe, project, all, packages)).map((edit) => makeEdit(folder, edit)),
  )
  const writes = edits.flatMap(({ write }) => write ?? [])
  await writeFiles(folder, [...files, ...writes], options)
  return {
    files: files.map(({ path }) => path),
    edited: writes.map(({ path }) => path),
    packages: Object.values(packages).flatMap((each) => Object.keys(each)),
    manual: edits.flatMap(({ step }) => step ?? []),
    present: [],
    parts: all,
  }
}

/** Returns the parts that all actions share, for the first action of a project. */
async function findShared({ action }: Recipe, project: Project): Promise<readonly FoundParts[]> {
  const isFirst = (await findExisting(project.folder, [{ path: ACTIONS_FILE }])).length === 0
  return action !== undefined && isFirst ? readActionParts(project) : []
}

async function findExisting(
  folder: string,
  files: ReadonlyArray<Pick<ProjectFile, 'path'>>,
): Promise<string[]> {
  const stats = await Promise.all(
    files.map(({ path }) => lstat(join(folder, path)).catch(() => undefined)),
  )
  return files.filter((_file, index) => stats[index] !== undefined).map(({ path }) => path)
}

/** Returns the tables of a recipe as the next migration of a project. */
async function createMigration(
  folder: string,
  { recipe, migration }: FoundParts,
): Promise<readonly ProjectFile[]> {
  if (migration === undefined) return []
  const existing = await readdir(join(folder, 'migrations')).catch(() => [])
  const numbers = existing.map((file) => Number(/^(\d+)_.*\.sql$/.exec(file)?.[1] ?? 0))
  const number = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
  const content = await readRecipeFile(recipe, migration)
  return [{ path: `migrations/${number}_${basename(migration)}`, content }]
}

/**
 * Edits a text, and keeps its line endings and its byte order mark. Returns the
 * manual step if that fails.
 */
async function makeEdit(
  folder: string,
  { path, change, instead }: Edit,
): Promise<{ readonly write?: FileWrite; readonly step?: string }> {
  const before = await readFile(join(folder, path), 'utf8').catch(() => undefined)
  const mark = before?.startsWith('\uFEFF') ? '\uFEFF' : ''
  const text = before?.slice(mark.length).replaceAll('\r\n', '\n')
  const changed = text === undefined ? undefined : change(text)
  if (before !== undefined && changed !== undefined) {
    const lineEnd = before.includes('\r\n') ? '\r\n' : '\n'
    const content = mark + changed.replaceAll('\n', lineEnd)
    return changed === text ? {} : { write: { path, before, content } }
  }
  if (instead === undefined) return {}
  const problem =
    text === undefined
      ? 'does not exist. Create it with'
      : 'differs from the template and was not changed. Add to it'
  return { step: `${path} ${problem}: ${instead(text ?? '')}.` }
}
