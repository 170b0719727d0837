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
  'a test adds the recipes to the template $name, and one saves its files',
  ({ name }) => {
    const files = (folder: string) =>
      ['slow', 'weekly'].filter((when) =>
        existsSync(new URL(`../${folder}/${name}.${when}.test.ts`, import.meta.url)),
      )
    expect([files('recipes').length, files('saves').length]).toEqual([1, 1])
  },
)
