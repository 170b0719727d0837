import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { renderLlmsTxt } from '../../scripts/llms-text.ts'
import { listExportedNames, renderReference } from '../../scripts/reference-text.ts'

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

test('docs/reference.md lists every export; npm run generate writes it', async () => {
  const folder = mkdtempSync(join(root, '.scratch-'))
  try {
    const file = join(folder, 'reference.md')
    writeFileSync(file, renderReference())
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/.bin/oxfmt'), file], {
      cwd: root,
    })
    expect(readFileSync(join(root, 'docs/reference.md'), 'utf8')).toBe(readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)

test('llms.txt lists every page; npm run generate writes it', () => {
  expect(readFileSync(join(root, 'llms.txt'), 'utf8')).toBe(renderLlmsTxt())
})
