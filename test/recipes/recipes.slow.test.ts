import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listRecipes } from '../../src/cli/add/recipes.ts'
import { TEMPLATES } from '../../src/cli/new/templates.ts'
import { createScaffold } from '../helpers/scaffold.ts'

/** Testing each recipe in each template takes minutes, so only the weekly workflow does it. */
const inEveryTemplate = process.env['SIDECARD_EVERY_TEMPLATE'] === '1'

const recipes = await listRecipes()

/** Every file below a folder and its content, without the packages. */
function readFolder(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
}

const cases = recipes.flatMap((recipe, index) => {
  const fitting = TEMPLATES.map(({ name }) => name).filter((name) => name in recipe.variants)
  // Each recipe is tested in another template, so that one run covers several.
  const selected = inEveryTemplate ? fitting : [fitting[index % fitting.length] ?? 'node']
  return selected.map((template) => ({ name: recipe.name, template, recipe }))
})

describe.each(cases)('the recipe $name in the template $template', ({ name, template, recipe }) => {
  test('adds source, tests, packages and a README line, and everything passes', async () => {
    const project = await createScaffold(template)
    const before = readFolder(project.folder)
    const { exitCode, stdout, stderr } = await project.cli('add', name, '--no-install')
    expect([exitCode, stderr]).toEqual([0, ''])
    const after = readFolder(project.folder)
    const added = Object.keys(after).filter((path) => !(path in before))
    expect(added).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^src\//),
        expect.stringMatching(/^test\/.*\.test\.ts$/),
      ]),
    )
    for (const path of added) expect(stdout).toContain(path)
    const changed = Object.keys(before).filter((path) => before[path] !== after[path])
    expect(['README.md', 'package.json']).toEqual(expect.arrayContaining(changed))
    expect(after['README.md']).toContain(`\n## Recipes\n\n- ${recipe.readme}\n`)

    const manifest = JSON.parse(after['package.json'] ?? '')
    const variant = recipe.variants[template]
    expect(manifest.dependencies).toMatchObject({
      ...recipe.dependencies,
      ...variant?.dependencies,
    })
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(importedPackages(added, after).filter((each) => !installed.includes(each))).toEqual([])

    expect(project.typeCheck()).toBe('')
    const tests = added.filter((path) => path.endsWith('.test.ts'))
    const result = project.test([...tests, 'test/app.test.ts'])
    if (result.exitCode !== 0) throw new Error(result.output)
    expect(result.output).toMatch(/^ℹ pass [1-9]\d|Tests +[1-9]\d passed/m)
  }, 180_000)
})

test.each(recipes)('the recipe $name lists exactly its files', (recipe) => {
  const folder = new URL(`../../recipes/${recipe.name}`, import.meta.url).pathname
  const used = [recipe, ...Object.values(recipe.variants)].flatMap(({ files = {} }) =>
    Object.values(files),
  )
  const stored = Object.keys(readFolder(folder)).filter((path) => path !== 'recipe.json')
  expect([...new Set(used)].toSorted()).toEqual(stored.toSorted())
})

/** The packages that source files import. */
function importedPackages(
  paths: readonly string[],
  contents: Readonly<Record<string, string>>,
): readonly string[] {
  const specifiers = paths
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...(contents[path] ?? '').matchAll(/ from '([^'.][^']*)'/g)])
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !specifier.startsWith('node:'))
  const names = specifiers.map((specifier) =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  )
  return [...new Set(names)]
}
