import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listRecipes } from '../../src/tools/cli/add/recipes.ts'
import { type TemplateName, TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { draw, DRAWS_ALL } from '../helpers/draw.ts'
import { followStep } from '../helpers/follow-steps.ts'
import { readFolder } from '../helpers/read-folder.ts'
import { createScaffold, type ProgramResult } from '../helpers/scaffold.ts'

const recipes = await listRecipes()
/** CI adds a recipe to a project of one of the two main templates, the weekly run to all. */
const drawn = draw(recipes, Math.floor(recipes.length / 2))
const isDrawn = (recipe: (typeof recipes)[number], template: TemplateName) =>
  DRAWS_ALL || drawn.includes(recipe) === (template === 'node')

/**
 * Adds each recipe to a project of a template. Each template has its own test file, so that
 * they run at the same time.
 */
export function testRecipes(template: TemplateName): void {
  const { host } = TEMPLATES.find(({ name }) => name === template) ?? {}
  if (host === undefined) throw new Error(`There is no template ${template}.`)
  const { secretsFile } = host
  const supported = recipes.filter(({ variants }) => template in variants || host.name in variants)
  test.each(supported.filter((recipe) => isDrawn(recipe, template)))(
    `the recipe $name in the template ${template} leaves a project whose checks and tests pass, before and after the printed steps`,
    async (recipe) => {
      const project = await createScaffold(template)
      const before = readFolder(project.folder)
      const { exitCode, stdout, stderr } = await project.cli(
        'add',
        recipe.name,
        '--no-install',
        '--json',
      )
      expect([exitCode, stderr]).toEqual([0, ''])
      const result = JSON.parse(stdout)
      const after = readFolder(project.folder)
      const added = Object.keys(after).filter((path) => !(path in before))
      const edited = Object.keys(before).filter((path) => before[path] !== after[path])
      expect(result.files.toSorted()).toEqual(added.toSorted())
      expect(result.edited.toSorted()).toEqual(edited.toSorted())
      expect(result.manual).toEqual([])
      expect(after['README.md']).toContain(`\n## Recipes\n\n- ${recipe.readme}\n`)
      for (const variable of Object.keys(recipe.variables ?? {})) {
        for (const path of ['src/env.ts', secretsFile]) {
          expect([path, after[path]]).toEqual([path, expect.stringMatching(`\\b${variable}[:=]`)])
        }
      }

      // CI has a fresh clone: no local secrets.
      rmSync(join(project.folder, secretsFile))
      project.install()
      expectSuccess(project.npm(['run', 'typecheck']))
      const followed = result.next.filter((step: string) => followStep(project.folder, step))
      const imports = result.next.filter((step: string) => /^In src\/\S+, import /.test(step))
      expect(followed).toEqual(imports)
      expectSuccess(project.npm(['run', 'lint']))
      if (followed.length > 0) expectSuccess(project.npm(['run', 'typecheck']))
      expectSuccess(project.npm(['run', 'test:update']))
      const output = expectSuccess(project.npm(['test']))
      const [, passed] = /^ℹ pass (\d+)$|Tests +(\d+) passed/m.exec(output)?.filter(Boolean) ?? []
      expect(Number(passed)).toBeGreaterThan(6)
    },
    180_000,
  )

  const isFirst = DRAWS_ALL || draw(['node', 'workers'], 1, 'actions').includes(template)
  test.runIf(isFirst)(
    `two recipes with actions in the template ${template} leave one app whose checks and tests pass`,
    async () => {
      const project = await createScaffold(template)
      const names = recipes.filter(({ action }) => action !== undefined).map(({ name }) => name)
      expect(names).toEqual(['follow-up-task', 'refund'])
      for (const name of names.toReversed()) {
        // oxlint-disable-next-line no-await-in-loop -- the second one changes the files of the first
        const { exitCode, stdout } = await project.cli('add', name, '--no-install', '--json')
        const { manual, next } = JSON.parse(stdout)
        expect([exitCode, manual]).toEqual([0, []])
        for (const step of next) followStep(project.folder, step)
      }
      project.install()
      expectSuccess(project.npm(['run', 'typecheck']))
      expectSuccess(project.npm(['run', 'lint']))
      expectSuccess(project.npm(['run', 'test:update']))
      expectSuccess(project.npm(['test']))
    },
    180_000,
  )
}

function expectSuccess({ exitCode, output }: ProgramResult): string {
  if (exitCode !== 0) throw new Error(output)
  return output
}
