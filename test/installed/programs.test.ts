import { beforeAll, describe, expect, test } from 'vitest'
import { BLOCKS } from './pages.ts'
import { type Pasted, paste, programsFor } from './paste.ts'
import { placeOf } from './parse-blocks.ts'
import { hasRegistry, openPlace, restoreProject, takeTurns } from './project.ts'
import { runOrThrow } from './run-program.ts'
import { isApp, openApps, runPrinting, typeCheck } from './run-programs.ts'

takeTurns()

describe.skipIf(!hasRegistry).each(['workers', 'node'] as const)(
  'the programs of the documentation, in a project of the template %s',
  (template) => {
    let project = ''
    let pasted: readonly Pasted[] = []

    beforeAll(async () => {
      project = await openPlace(template)
      // The packages that pages install, together.
      const packages = BLOCKS.filter(
        ({ block, marks }) => block.language === 'sh' && marks.in === template,
      )
        .flatMap(({ block }) => [
          ...block.code.replaceAll('\\\n', ' ').matchAll(/^npm install (.+)$/gm),
        ])
        .flatMap(([, names = '']) => names.trim().split(/\s+/))
      await runOrThrow(project, 'npm', ['install', '--no-audit', '--no-fund', ...packages])
      pasted = paste(project, programsFor(template, BLOCKS))
      return () => restoreProject(project)
    })

    test('type-check with the configuration of the project', async () => {
      expect(pasted.length).toBeGreaterThan(30)
      await typeCheck(project, pasted)
    })

    test('connect and render, if they are apps', async () => {
      const apps = pasted.filter(isApp)
      expect(apps.length).toBeGreaterThan(3)
      await openApps(project, apps)
    })

    test('pass as tests of the project, if they are tests', async () => {
      const tests = pasted.filter(({ path }) => path.startsWith('test/'))
      expect(tests.length).toBeGreaterThan(1)
      // vitest ends a test after five seconds, which a busy machine needs.
      const options = template === 'workers' ? ['--', '--testTimeout=60000'] : []
      const output = await runOrThrow(project, 'npm', ['test', ...options])
      expect(output).toMatch(/\d+ passed|pass \d+/)
    })

    const printing = programsFor(template, BLOCKS).filter(({ marks }) => marks.shows !== undefined)
    test.each(printing.map((each) => [placeOf(each.block), each] as const))(
      '%s prints what the page says',
      async (_place, { block }) => {
        const program = pasted.find((each) => each.block === block)
        if (program === undefined) throw new Error('It was not pasted.')
        await expect(runPrinting(project, program)).resolves.toBeUndefined()
      },
    )
  },
)
