import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TemplateName } from '../../src/tools/cli/new/templates.ts'
import { createScaffold } from '../helpers/scaffold.ts'

/** Tests that the tests of new projects can fail. */
export function testFailures(templates: readonly TemplateName[]): void {
  test.each(templates)(
    'a new project of the template %s fails its tests after a change of a link, and while a state fails',
    async (name) => {
      const project = await createScaffold(name)
      const sidebar = join(project.folder, 'src/sidebar.ts')
      const before = readFileSync(sidebar, 'utf8')
      const testWith = (from: string, to: string) => {
        expect(before).toContain(from)
        writeFileSync(sidebar, before.replace(from, to))
        return project.npm(['test'])
      }
      expect(testWith('com/customers/', 'com/customer/')).toMatchObject({ exitCode: 1 })
      const failing = testWith('const customers =', `if (ctx.env) throw new Error('no plan')\n$&`)
      expect(failing).toMatchObject({
        exitCode: 1,
        output: expect.stringMatching(/the state "Lumen Optics" fails: fetchData failed: no plan/),
      })
      // A failing state cannot be stored as the right one.
      expect(project.npm(['run', 'test:update'])).toMatchObject({ exitCode: 1 })
    },
    120_000,
  )
}
