import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { renderCheckDocs } from '../../scripts/check-docs.ts'
import { updateCliPage } from '../../scripts/cli-help.ts'
import { DOC_SECTIONS } from '../../scripts/doc-sections.ts'
import { renderDocsIndex } from '../../scripts/llms-text.ts'
import { listExportedNames, renderReference } from '../../scripts/reference-text.ts'
import { renderTroubleshooting } from '../../scripts/troubleshooting-text.ts'
import { updateStackPage } from '../stack/matrix.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('every exported name has a docstring whose first sentence names the thing', () => {
  const names = listExportedNames()
  const unclear = names.filter(({ sentence }) => {
    return (
      sentence === '' ||
      /^(?:What|How|Who|Whose|Why|Where|Which|Tells|Says|Gives|Thrown|Passed|Pushed)\b|@link/.test(
        sentence,
      )
    )
  })
  expect(unclear.map(({ entry, name, sentence }) => [entry, name, sentence])).toEqual([])
}, 60_000)

const committed = (page: string) => readFileSync(join(root, 'docs', page), 'utf8')

test.each([
  ['reference.md', renderReference],
  ['troubleshooting.md', renderTroubleshooting],
  ['checks/README.md', () => renderCheckDocs().get('README.md')!],
  ['guides/with-your-stack.md', () => updateStackPage(committed('guides/with-your-stack.md'))],
])(
  'docs/%s is the one that npm run generate writes',
  async (page, render) => {
    const folder = mkdtempSync(join(root, '.scratch-'))
    try {
      const file = join(folder, basename(page))
      writeFileSync(file, render())
      await promisify(execFile)(process.execPath, [join(root, 'node_modules/.bin/oxfmt'), file], {
        cwd: root,
      })
      expect(committed(page)).toBe(readFileSync(file, 'utf8'))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  60_000,
)

test('docs/cli.md has the help that the commands print', async () => {
  expect(await updateCliPage(committed('cli.md'))).toBe(committed('cli.md'))
})

test('docs/README.md is the one that npm run generate writes', () => {
  expect(readFileSync(join(root, 'docs/README.md'), 'utf8')).toBe(renderDocsIndex())
})

test('every page except those of the rules is listed once', () => {
  const pages = globSync('**/*.md', { cwd: join(root, 'docs') })
  const rules = new Set(Array.from(renderCheckDocs().keys(), (name) => `checks/${name}`))
  const listed: readonly string[] = DOC_SECTIONS.flatMap((section) => section.pages)
  const expected = pages.filter(
    (page) => page !== 'README.md' && (page === 'checks/README.md' || !rules.has(page)),
  )
  expect(listed.toSorted()).toEqual(expected.toSorted())
})
