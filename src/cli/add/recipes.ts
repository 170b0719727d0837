import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mergeImports } from '../new/merge-imports.ts'
import type { ProjectFile, TemplateName } from '../new/templates.ts'

/** An environment variable of a recipe. Without a value, the agent sees "Not configured". */
export interface RecipeVariable {
  readonly type: 'string' | 'url'
  /** A phrase without a period. */
  readonly description: string
}

/** The files and packages that a recipe adds to a project. */
export interface RecipeParts {
  /** Path in the project → path in the recipe's folder. */
  readonly files?: Readonly<Record<string, string>>
  /** Package → version range. */
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The parts of a recipe for one template. */
export interface RecipeVariant extends RecipeParts {
  /** The values of the placeholders in `next`. */
  readonly values?: Readonly<Record<string, string>>
}

/** `recipes/<name>/recipe.json`. */
export interface Recipe extends RecipeParts {
  readonly name: string
  /** One sentence, for the list. */
  readonly description: string
  /** One line of Markdown for the project's README. */
  readonly readme: string
  readonly variables?: Readonly<Record<string, RecipeVariable>>
  /** A file with tables, which becomes the next migration of the project. */
  readonly migration?: string
  /** A file with development data, which is appended to the project's seed.sql. */
  readonly seed?: string
  /** The manual steps that remain, in imperative sentences. */
  readonly next?: readonly string[]
  /** Additional parts by template. A recipe does not support a template without a variant. */
  readonly variants: Readonly<Partial<Record<TemplateName, RecipeVariant>>>
}

const ROOT = fileURLToPath(new URL('../../../recipes/', import.meta.url))

/** Reads every recipe, by name. */
export async function listRecipes(): Promise<readonly Recipe[]> {
  const entries = await readdir(ROOT, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await readRecipeFile(name, 'recipe.json')
      return { name, ...(JSON.parse(text) as Omit<Recipe, 'name'>) }
    }),
  )
}

/** Reads one file of a recipe. */
export function readRecipeFile(recipe: string, path: string): Promise<string> {
  return readFile(join(ROOT, recipe, path), 'utf8')
}

/** Reads the files that a recipe adds to a template. */
export async function readRecipeFiles(
  recipe: Recipe,
  template: TemplateName,
): Promise<readonly ProjectFile[]> {
  const files = { ...recipe.files, ...recipe.variants[template]?.files }
  return Promise.all(
    Object.entries(files).map(async ([path, stored]) => {
      const text = mergeImports(await readRecipeFile(recipe.name, stored), path)
      return { path, content: template.startsWith('workers') ? useVitest(text) : text }
    }),
  )
}

/** The Workers templates run their tests with vitest, which has the functions of both imports. */
function useVitest(text: string): string {
  return text
    .replace("import assert from 'node:assert/strict'\n", '')
    .replace(/^import \{ (.+) \} from 'node:test'$/m, "import { assert, $1 } from 'vitest'")
}
