import { existsSync, readFileSync } from 'node:fs'
import { CREATE_RECEIPTS_TABLE } from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  ACTIONS,
  listRecipes,
  readRecipe,
  type RecipeParts,
} from '../../src/tools/cli/add/recipes.ts'
import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { readFolder } from '../helpers/read-folder.ts'

const ALL = [...(await listRecipes()), await readRecipe(ACTIONS)]

test.each(ALL)('the recipe $name lists exactly its files', (recipe) => {
  const folder = new URL(`../../recipes/${recipe.name}`, import.meta.url).pathname
  const parts: readonly RecipeParts[] = [recipe, ...Object.values(recipe.variants)]
  const used = parts.flatMap(({ files = {} }) => Object.values(files))
  const migrations = new Set(parts.map(({ migration }) => migration))
  // In a project, src/env.ts types the variables. Here, this file does.
  const types = recipe.name === ACTIONS ? ['src/env.ts'] : []
  const sql = [...migrations, recipe.seed, ...types].filter((path) => path !== undefined)
  const stored = Object.keys(readFolder(folder)).filter((path) => path !== 'recipe.json')
  expect([...new Set(used), ...sql].toSorted()).toEqual(stored.toSorted())
})

test('the migration of the receipts creates the table that the stores use', () => {
  const sql = readFileSync(`${ROOT}recipes/_actions/sql/receipts.sql`, 'utf8')
  expect(sql.replace(/^--.*\n/, '')).toBe(`${CREATE_RECEIPTS_TABLE};\n`)
})

const ROOT = new URL('../../', import.meta.url).pathname

test('a recipe refers only to pages that the package contains', () => {
  const pages = Object.values(readFolder(`${ROOT}recipes`)).flatMap((text) =>
    [...text.matchAll(/\bsee (\S*docs\/\S+\.md)/g)].map(([, page = '']) => page),
  )
  expect(pages).toContain('node_modules/sidecard/docs/guides/sign-in.md')
  const missing = pages.filter((page) => {
    const path = page.replace('node_modules/sidecard/', ROOT)
    return path === page || !existsSync(path)
  })
  expect(missing).toEqual([])
})

test('docs/cli.md lists the recipes that need a database', async () => {
  const needy = (await listRecipes()).filter(
    ({ variants }) => !('node' in variants) && !('workers' in variants),
  )
  const page = readFileSync(`${ROOT}docs/cli.md`, 'utf8')
  expect(needy.map(({ name }) => name)).toEqual(['accounts'])
  expect(page).toContain('\n`accounts` needs a project with a database')
})

test.each(TEMPLATES)(
  'a test adds the recipes to the template $name, and one saves its files',
  ({ name }) => {
    const files = (folder: string) =>
      ['slow', 'weekly'].filter((when) =>
        existsSync(new URL(`../${folder}/${name}.${when}.test.ts`, import.meta.url)),
      )
    expect([files('recipes').length, files('saves').length]).toEqual([1, 1])
  },
)
