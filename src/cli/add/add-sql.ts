import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectFile } from '../new/templates.ts'
import { appendLines, type Edit, editText, readProjectFile } from './edit-text.ts'
import { readRecipeFile, type Recipe } from './recipes.ts'

/** Returns the tables of a recipe as the next migration of a project. */
export async function createMigration(
  folder: string,
  { name, migration }: Recipe,
): Promise<readonly ProjectFile[]> {
  if (migration === undefined) return []
  const existing = await readdir(join(folder, 'migrations')).catch(() => [])
  const numbers = existing.map((file) => Number(/^(\d+)_.*\.sql$/.exec(file)?.[1] ?? 0))
  const number = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
  const content = await readRecipeFile(name, migration)
  return [{ path: `migrations/${number}_${name}.sql`, content }]
}

/** Appends the development data of a recipe to the project's. */
export async function addSeed(folder: string, { name, seed }: Recipe): Promise<readonly Edit[]> {
  if (seed === undefined) return []
  const path = 'dev/seed.sql'
  const before = await readProjectFile(folder, path)
  const source = `node_modules/sidecard/recipes/${name}/${seed}`
  const load = `Load the development data in ${source} yourself.`
  if (before === undefined) return [{ step: `${path} does not exist. ${load}` }]
  const last = before.replaceAll(/--.*$/gm, '').trimEnd().at(-1) ?? ';'
  if (last !== ';') return [{ step: `${path} does not end with a semicolon. ${load}` }]
  const statements = await readRecipeFile(name, seed)
  return [
    { write: { path, before, content: editText(before, (text) => appendLines(text, statements)) } },
  ]
}
