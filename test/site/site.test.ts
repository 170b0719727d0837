import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { compressText } from '../../src/tools/workspace/core/permalink.ts'
import { connectBrowser } from '../browser/helpers/browser.ts'
import { listenConcurrently } from '../helpers/listen.ts'

const DIST = new URL('../../site/.vitepress/dist/', import.meta.url).pathname
/** The path under which the site was built. */
const BASE = process.env['DOCS_BASE'] ?? '/'
const MAX_PAGE_BYTES = 1_500_000
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
/** Its accessible name is not its text, "Search Ctrl K", which only the theme can change. */
const THEME = '.DocSearch-Button'
const PAGES = globSync('**/*.html', { cwd: DIST, exclude: ['playground-app/**', '404.html'] }).map(
  (file) => file.replace(/(?:index)?\.html$/, '').replace(/index$/, ''),
)

const listen = listenConcurrently()
let origin = ''
const problems: string[] = []

beforeAll(async () => {
  // A host that has only files, and serves a page without its extension.
  const url = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : 'outside of the site'
    const file = name === '' || name.endsWith('/') ? `${name}index.html` : name
    const path = extname(file) === '' ? `${file}.html` : file
    readFile(join(DIST, path)).then(
      (bytes) => response.setHeader('content-type', TYPES[extname(path)] ?? '').end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  ;({ origin } = new URL(url))
})
afterEach(() => {
  const found = problems.splice(0)
  if (found.length > 0) throw new Error(found.join('\n'))
})

/** Opens a page of the site. A script error, a missing file or a request to elsewhere is a problem. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await connectBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => problems.push(`${path}: ${message}`))
  page.on('response', (response) => {
    const isOurs = response.url().startsWith(origin + BASE)
    if (!isOurs || !response.ok()) problems.push(`${path}: ${response.status()} ${response.url()}`)
  })
  await page.goto(`${origin}${BASE}${path}`, { waitUntil: 'networkidle' })
  return page
}

test('every page with its assets has at most 1.5 MB, and loads nothing from elsewhere', async () => {
  expect(PAGES.length).toBeGreaterThan(40)
  const page = await open('')
  const sizes = new Map<string, number>()
  for (const path of PAGES) {
    let bytes = 0
    const reads: Array<Promise<void>> = []
    const add = (response: Awaited<ReturnType<Page['waitForResponse']>>) =>
      reads.push(response.body().then((body) => void (bytes += body.length)))
    page.on('response', add)
    /* oxlint-disable no-await-in-loop -- one page, which loads them one after another */
    await page.goto(`${origin}${BASE}${path}`, { waitUntil: 'networkidle' })
    await Promise.all(reads)
    /* oxlint-enable no-await-in-loop */
    page.off('response', add)
    sizes.set(path, bytes)
  }
  const largest = [...sizes].toSorted(([, left], [, right]) => right - left)
  // oxlint-disable-next-line no-console -- the figures are for the reader of a run
  console.log(largest.slice(0, 5))
  expect(largest.filter(([, bytes]) => bytes > MAX_PAGE_BYTES)).toEqual([])
  expect(largest.at(-1)?.[1]).toBeGreaterThan(10_000)
})

test('the code on the home page makes the widget next to it, and can be copied as an app', async () => {
  const page = await open('', { permissions: ['clipboard-read', 'clipboard-write'] })
  const code = page.getByLabel('Edit the code of fetchData')
  const widget = page.getByRole('region', { name: 'Try it' }).locator('.sidecard-widget')
  await widget.getByText('Business').waitFor()
  await code.fill("return text({ label: 'Plan', value: 'Starter' })")
  await widget.getByText('Starter').waitFor()
  await page.getByRole('button', { name: 'Copy the app' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const app = await page.evaluate(() => navigator.clipboard.readText())
  expect(app).toContain("import { text, secretHeader, sidecard } from 'sidecard'")
  expect(app).toContain("return text({ label: 'Plan', value: 'Starter' })")
  await code.fill("return text({ label: 'Plan', value: 7 })")
  await page.getByText('text(): value: must be a string, got a number.').waitFor()
  expect(await widget.textContent()).toContain('Starter')
})

test('the playground opens a shared link, follows the theme of the site, and has its search', async () => {
  const payload = JSON.stringify({
    version: '1.0.0',
    header: { title: 'Shared' },
    components: [{ type: 'text', label: 'Plan', value: 'Team' }],
  })
  const page = await open(`playground#/playground?payload=${await compressText(payload)}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
    colorScheme: 'light',
  })
  const frame = page.frameLocator('iframe[title="Playground"]')
  await frame.locator('.widget_row-label').getByText('Plan').waitFor()
  await page.getByRole('switch').first().click()
  await frame.locator('html[data-theme="dark"]').waitFor()
  await frame.getByRole('button', { name: 'Copy link' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`${origin}${BASE}playground#/playground?payload=`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('handshake')
  await page.getByRole('option').first().waitFor()
})

test.each(['', 'get-started', 'components', 'playground', 'checks/'])(
  'the page /%s has no accessibility violation, in light and in dark',
  async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after another, in one browser
      const page = await open(path, { colorScheme })
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { violations } = await new AxeBuilder({ page }).exclude(THEME).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    }
  },
)
