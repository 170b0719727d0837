import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProjectFile, TemplateName } from '../new/templates.ts'

/** The files and packages that a recipe adds to a project. */
export interface RecipeParts {
  /** Path in the project → path in the recipe's folder. */
  readonly files?: Readonly<Record<string, string>>
  /** Package → version range. */
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** `recipes/<name>/recipe.json`. */
export interface Recipe extends RecipeParts {
  readonly name: string
  /** One sentence, for the list. */
  readonly description: string
  /** One line of Markdown for the project's README. */
  readonly readme: string
  /** The manual steps that remain, in imperative sentences. */
  readonly next?: readonly string[]
  /** Additional parts by template. A recipe does not support a template without a variant. */
  readonly variants: Readonly<Partial<Record<TemplateName, RecipeParts>>>
}

const ROOT = fileURLToPath(new URL('../../../recipes/', import.meta.url))

/** Reads every recipe, by name. */
export async function listRecipes(): Promise<readonly Recipe[]> {
  const entries = await readdir(ROOT, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await readFile(join(ROOT, name, 'recipe.json'), 'utf8')
      return { name, ...(JSON.parse(text) as Omit<Recipe, 'name'>) }
    }),
  )
}

/** Reads the files of a recipe for a template. */
export async function readRecipeFiles(
  recipe: Recipe,
  template: TemplateName,
): Promise<readonly ProjectFile[]> {
  const files = { ...recipe.files, ...recipe.variants[template]?.files }
  return Promise.all(
    Object.entries(files).map(async ([path, stored]) => ({
      path,
      content: await readFile(join(ROOT, recipe.name, stored), 'utf8'),
    })),
  )
}
