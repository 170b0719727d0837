import { readdir, readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BUDGET_BYTES } from '../../scripts/build-ui.ts'

const FOLDER = new URL('../../dist/emulator/ui/', import.meta.url)

test('the bundle is within its budget, and says nothing of the machine that built it', async () => {
  const files = await readdir(FOLDER)
  expect(files.toSorted()).toEqual(['LICENSES.txt', 'app.css', 'app.js', 'icon.svg', 'index.html'])
  const script = await readFile(new URL('app.js', FOLDER), 'utf8')
  const style = await readFile(new URL('app.css', FOLDER), 'utf8')
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(BUDGET_BYTES)
  for (const text of [script, style]) {
    expect(text).not.toContain('sourceMappingURL')
    expect(text).not.toContain(process.cwd())
    expect(text).not.toContain('node_modules')
  }
})

test('the page holds no script and no style of its own, and loads nothing from elsewhere', async () => {
  const page = await readFile(new URL('index.html', FOLDER), 'utf8')
  expect(page).toContain('content="__SIDECARD_TOKEN__"')
  expect(page).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=|https?:/)
})
