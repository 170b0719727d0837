import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../../emulator/store/package-folder.ts'
import { mergeImports } from '../new/merge-imports.ts'
import type { HostName, ProjectFile, TemplateName } from '../new/templates.ts'
import type { Project } from './project.ts'

/** An environment variable of a recipe, or a binding. Without a value, the agent sees "Not configured". */
export interface RecipeVariable {
  readonly type: 'string' | 'url' | 'd1'
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
  readonly variables?: Readonly<Record<string, RecipeVariable>>
  /** A file with tables, which becomes the next migration of the project. */
  readonly migration?: string
}

/** The parts of a recipe for a host, or for a host with one database. */
export interface RecipeVariant extends RecipeParts {
  /** The values of the placeholders in `next`. */
  readonly values?: Readonly<Record<string, string>>
}

/** The content of `recipes/<name>/recipe.json`. */
export interface Recipe extends RecipeParts {
  readonly name: string
  /** One sentence, for the list. */
  readonly description: string
  /** One line of Markdown for the project's README. */
  readonly readme: string
  /** The export of `src/<name>.ts` that is an action, for the list in `src/actions.ts`. */
  readonly action?: string
  /** A file with development data, which is appended to the project's seed.sql. */
  readonly seed?: string
  /** The manual steps that remain, in imperative sentences. */
  readonly next?: readonly string[]
  /** Additional parts. A recipe does not support a project without a variant. */
  readonly variants: Readonly<Partial<Record<HostName | TemplateName, RecipeVariant>>>
}

const ROOT = fileURLToPath(packageFile('recipes/'))

/** The folder with the parts that all actions of a project share. */
export const ACTIONS = '_actions'

/** Reads every recipe, by name. */
export async function listRecipes(): Promise<readonly Recipe[]> {
  const entries = await readdir(ROOT, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names
      .filter((name) => name !== ACTIONS)
      .sort()
      .map(readRecipe),
  )
}

/** Reads a recipe, or {@link ACTIONS}. */
export async function readRecipe(name: string): Promise<Recipe> {
  const text = await readRecipeFile(name, 'recipe.json')
  return { name, ...(JSON.parse(text) as Omit<Recipe, 'name'>) }
}

/** Reads one file of a recipe. */
export function readRecipeFile(recipe: string, path: string): Promise<string> {
  return readFile(join(ROOT, recipe, path), 'utf8')
}

/** The parts of a recipe for one project. */
export type FoundParts = Required<Omit<RecipeVariant, 'migration'>> & {
  /** The folder of the files. */
  readonly recipe: string
  readonly migration: string | undefined
  readonly next: readonly string[]
}

/** Returns the parts of a recipe for the database of a project, or for its host. */
export function findParts(
  recipe: Recipe,
  { host, template }: Pick<Project, 'host' | 'template'>,
): FoundParts | undefined {
  const variant = (template && recipe.variants[template]) ?? recipe.variants[host.name]
  return (
    variant && {
      recipe: recipe.name,
      next: recipe.next ?? [],
      files: { ...recipe.files, ...variant.files },
      dependencies: { ...recipe.dependencies, ...variant.dependencies },
      devDependencies: { ...recipe.devDependencies, ...variant.devDependencies },
      variables: { ...recipe.variables, ...variant.variables },
      migration: variant.migration ?? recipe.migration,
      values: { ...variant.values },
    }
  )
}

/** Reads the parts that all actions of a project share. */
export async function readActionParts(project: Project): Promise<readonly FoundParts[]> {
  const parts = findParts(await readRecipe(ACTIONS), project)
  return parts === undefined ? [] : [parts]
}

/** Reads the files that a recipe adds to a project. */
export async function readRecipeFiles(
  { recipe, files }: FoundParts,
  host: HostName,
): Promise<readonly ProjectFile[]> {
  return Promise.all(
    Object.entries(files).map(async ([path, stored]) => {
      const text = mergeImports(await readRecipeFile(recipe, stored), path)
      return { path, content: host === 'workers' ? useVitest(text) : text }
    }),
  )
}

/**
 * Adapts a test to vitest, which runs the tests of projects on Workers and has the
 * functions of both imports.
 */
function useVitest(text: string): string {
  return text
    .replace("import assert from 'node:assert/strict'\n", '')
    .replace(/^import \{ (.+) \} from 'node:test'$/m, "import { assert, $1 } from 'vitest'")
}
