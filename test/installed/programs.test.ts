import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Pasted, paste, programsFor } from './paste.ts'
import { BLOCKS } from './pages.ts'
import { placeOf } from './parse-blocks.ts'
import { hasRegistry, openPlace, restoreProject } from './project.ts'
import { runOrThrow, runProgram } from './run-program.ts'

/** An app that needs nothing of the reader also runs. */
const APP = /^export (?:default|const app =) sidecard\b/m
const OF_READER = /^declare /m

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
      const folders = [...new Set(pasted.map(({ path }) => path.split('/')[0]))]
      writeFileSync(
        join(project, 'tsconfig.pages.json'),
        JSON.stringify({ extends: './tsconfig.json', include: [...folders, 'src', 'test'] }),
      )
      const args = ['tsc', '-p', 'tsconfig.pages.json']
      expect(await runOrThrow(project, 'npx', args)).not.toContain('error')
    })

    test('connect and render, if they are apps', async () => {
      const apps = pasted.filter(({ block: { code } }) => APP.test(code) && !OF_READER.test(code))
      expect(apps.length).toBeGreaterThan(3)
      writeFileSync(join(project, 'open-issues.js'), OPEN_ISSUES)
      const output = await runOrThrow(project, 'node', [
        'open-issues.js',
        ...apps.map(({ path }) => `./${path}`),
      ])
      const shown = JSON.parse(/^OUTCOMES (.+)$/m.exec(output)?.[1] ?? '') as unknown
      expect(shown).toEqual(apps.map(({ path, marks }) => [path, marks.outcome ?? 'rendered']))
    })

    test('pass as tests of the project, if they are tests', async () => {
      const tests = pasted.filter(({ path }) => path.startsWith('test/'))
      expect(tests.length).toBeGreaterThan(1)
      const { exitCode, output } = await runProgram(project, 'npm', ['test'])
      expect([exitCode, output]).toEqual([0, expect.stringMatching(/\d+ passed|pass \d+/)])
    })

    const printing = programsFor(template, BLOCKS).filter(({ marks }) => marks.shows !== undefined)
    test.each(printing.map((each) => [placeOf(each.block), each] as const))(
      '%s prints what the page says',
      async (_place, { block, marks }) => {
        const path = pasted.find((each) => each.block === block)?.path ?? ''
        expect(await runOrThrow(project, 'node', [path])).toContain(marks.shows)
      },
    )
  },
)

/** Opens an issue in each app, as the service does, and prints the outcomes. */
const OPEN_ISSUES = `
import { createTestService } from 'sidecard/testing'

process.env.SIDECARD_SECRET = 'secret'
const env = { SIDECARD_SECRET: 'secret' }
const headers = { 'x-sidecard-secret': 'secret' }
const outcomes = []
for (const path of process.argv.slice(2)) {
  const module = await import(path)
  const service = createTestService(module.default ?? module.app, { env, headers })
  const { outcome } = await service.openIssue({ account_id: 'acc_northwind' })
  outcomes.push([path.slice(2), outcome])
}
console.log('OUTCOMES ' + JSON.stringify(outcomes))
process.exit(0)
`
