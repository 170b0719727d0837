import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listRecipes } from '../../src/cli/add/recipes.ts'
import { TEMPLATES } from '../../src/cli/new/templates.ts'
import { readFolder } from '../helpers/read-folder.ts'

test.each(await listRecipes())('the recipe $name lists exactly its files', (recipe) => {
  const folder = new URL(`../../recipes/${recipe.name}`, import.meta.url).pathname
  const used = [recipe, ...Object.values(recipe.variants)].flatMap(({ files = {} }) =>
    Object.values(files),
  )
  const sql = [recipe.migration, recipe.seed].filter((path) => path !== undefined)
  const stored = Object.keys(readFolder(folder)).filter((path) => path !== 'recipe.json')
  expect([...new Set(used), ...sql].toSorted()).toEqual(stored.toSorted())
})

test.each(TEMPLATES)(
  'slow tests add the recipes to the template $name, and save its files',
  ({ name }) => {
    const exists = (folder: string) =>
      existsSync(new URL(`../${folder}/${name}.slow.test.ts`, import.meta.url))
    expect([exists('recipes'), exists('saves')]).toEqual([true, true])
  },
)
