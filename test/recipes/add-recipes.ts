import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listRecipes, type Recipe } from '../../src/cli/add/recipes.ts'
import { INCLUDED_RECIPES, type TemplateName, TEMPLATES } from '../../src/cli/new/templates.ts'
import { followStep } from '../helpers/follow-steps.ts'
import { readFolder } from '../helpers/read-folder.ts'
import { migratedDatabase } from '../helpers/migrated-database.ts'
import { createScaffold, type ProgramResult } from '../helpers/scaffold.ts'

const added = (await listRecipes()).filter(({ name }) => !INCLUDED_RECIPES.includes(name))

/** A project of the template workers-kv gets the recipes of the template workers. */
const variantOf = (name: TemplateName) => (name === 'workers-kv' ? 'workers' : name)

/**
 * Adds each recipe to a project of a template. Each template has its own test file, so that
 * they run at the same time.
 */
export function testRecipes(template: TemplateName): void {
  const { secretsFile = '' } = TEMPLATES.find(({ name }) => name === template) ?? {}
  const supported = added.filter(({ variants }) => variantOf(template) in variants)
  test.each(supported)(
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
        for (const path of ['src/env.ts', 'test/env.ts', secretsFile, `${secretsFile}.example`]) {
          expect([path, after[path]]).toEqual([path, expect.stringMatching(`\\b${variable}[:=]`)])
        }
      }

      // CI has a fresh clone: no local secrets.
      rmSync(join(project.folder, secretsFile))
      project.install()
      const count = countTests(recipe)
      expectSuccess(project.npm(['run', 'check']))
      const followed = result.next.filter((step: string) => followStep(project.folder, step))
      expect(followed).toHaveLength(1)
      expectSuccess(project.npm(['run', 'check']))
      const database = template === 'node-postgres' ? await migratedDatabase(project) : {}
      const output = expectSuccess(project.npm(['test'], database))
      const [, passed] = /^ℹ pass (\d+)$|Tests +(\d+) passed/m.exec(output)?.filter(Boolean) ?? []
      expect(Number(passed)).toBeGreaterThanOrEqual(13 + count)
    },
    180_000,
  )
}

/** Every recipe has at least this many tests. */
function countTests({ name }: Recipe): number {
  return name === 'accounts' ? 6 : 8
}

function expectSuccess({ exitCode, output }: ProgramResult): string {
  if (exitCode !== 0) throw new Error(output)
  return output
}
