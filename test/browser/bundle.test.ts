import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { BUDGET_BYTES, LATER_BUDGET_BYTES, measureUi } from '../../scripts/build-ui.ts'

const FOLDER = new URL('../../dist/workspace/', import.meta.url)

test('the first load and the later views are within their budgets', async () => {
  const { firstLoad, later } = await measureUi()
  expect(firstLoad).toBeGreaterThan(20_000)
  expect(firstLoad).toBeLessThan(BUDGET_BYTES)
  expect(later).toBeGreaterThan(20_000)
  expect(later).toBeLessThan(LATER_BUDGET_BYTES)
})

test('the bundle contains the licenses of its packages and no paths of the build machine', async () => {
  const files = await readdir(FOLDER)
  for (const name of files.filter((file) => /\.(?:js|css)$/.test(file))) {
    const text = await readFile(new URL(name, FOLDER), 'utf8')
    expect(text).not.toContain('sourceMappingURL')
    expect(text).not.toContain(process.cwd())
    expect(text).not.toMatch(/node_modules\/@?[a-z]/)
  }
  const licenses = await readFile(new URL('LICENSES.txt', FOLDER), 'utf8')
  for (const name of ['preact', 'diff', 'jsonc-parser']) {
    expect(licenses).toContain(`${name}\n`)
  }
})

test('the page has no inline script or style, and loads nothing from other origins', async () => {
  const page = await readFile(new URL('index.html', FOLDER), 'utf8')
  expect(page).toContain('content="__SIDECARD_TOKEN__"')
  expect(page).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=|https?:/)
})
