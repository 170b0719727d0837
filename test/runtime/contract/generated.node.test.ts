import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { renderContractFiles } from '../../../scripts/contract/generated-files.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const committed = join(root, 'src/runtime/contract/generated')

test('src/runtime/contract/generated matches the schemas; npm run generate writes it', async () => {
  const files = renderContractFiles()
  const folder = mkdtempSync(join(root, '.scratch-'))
  try {
    for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
    const paths = Object.keys(files).map((name) => join(folder, name))
    const oxfmt = join(root, 'node_modules/.bin/oxfmt')
    await promisify(execFile)(process.execPath, [oxfmt, ...paths], { cwd: root })
    expect(readdirSync(committed).toSorted()).toEqual(Object.keys(files).toSorted())
    for (const name of Object.keys(files)) {
      expect(readFileSync(join(committed, name), 'utf8')).toBe(
        readFileSync(join(folder, name), 'utf8'),
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)

test('the generated code uses no eval and has no module-level state', () => {
  for (const name of readdirSync(committed)) {
    const source = readFileSync(join(committed, name), 'utf8')
    expect(source).not.toMatch(/\beval\b|\bFunction\(|new (?:Map|Set|WeakMap)\b|^let /m)
  }
})
