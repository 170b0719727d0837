import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildSitePlayground } from '../../scripts/build-ui.ts'
import { connectBrowser } from './helpers/browser.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { playgroundEditor } from './helpers/playground.ts'
import { listenConcurrently } from '../helpers/listen.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

let folder = ''
let origin = ''
let page: Page
const requests: string[] = []
const errors: string[] = []

const listen = listenConcurrently()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidecard-playground-'))
  await buildSitePlayground(folder)
  // A host that has only files, as the one of the documentation site.
  const url = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.replace(/^\/docs\/playground\//, '') || 'index.html'
    readFile(join(folder, name)).then(
      (bytes) => response.setHeader('content-type', TYPES[extname(name)] ?? '').end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  ;({ origin } = new URL(url))
})
afterAll(() => rm(folder, { recursive: true }))

beforeEach(async () => {
  const browser = await connectBrowser()
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 1440, height: 900 },
  })
  page = await context.newPage()
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('response', (response) => {
    if (!response.ok()) errors.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${origin}/docs/playground/`)
  await page.getByLabel('Payload as JSON').waitFor()
})
afterEach(async () => {
  await page.context().browser()?.close()
  const foreign = requests.filter((url) => !url.startsWith(`${origin}/docs/playground/`))
  if (foreign.length + errors.length > 0) throw new Error([...foreign, ...errors].join('\n'))
})

const payload = (type: string) =>
  JSON.stringify({
    version: '1.0.0',
    header: { title: 'Billing' },
    components: [{ type, label: 'Plan', value: 'Team' }],
  })

test('the playground of the site shows the widget, and a problem with its fix, without a server', async () => {
  const editor = playgroundEditor(page)
  await editor.fill(payload('text'))
  await page.locator('.widget_row-label').getByText('Plan').waitFor()
  await editor.fill(payload('label'))
  const problems = page.getByRole('region', { name: 'Problems' })
  await expectVisible(problems.getByText('component-type'))
  await problems.getByRole('button', { name: 'About rule component-type' }).click()
  await page
    .locator('.findings_rule-card')
    .getByText('docs/checks/components.md#component-type')
    .waitFor()
})

test('a link opens the same payload in another browser', async () => {
  await playgroundEditor(page).fill(payload('text'))
  await page.locator('.widget_row-label').getByText('Plan').waitFor()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`${origin}/docs/playground/#/playground?payload=`)
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const other = await connectBrowser()
  const opened = await other.newPage()
  await opened.goto(link)
  await opened.locator('.widget_row-label').getByText('Plan').waitFor()
  expect(await playgroundEditor(opened).text()).toBe(payload('text'))
  await other.close()
})

test('a second tab has the builder code, and choosing a component returns to its JSON', async () => {
  await page.getByLabel('Start from an example').selectOption({ label: 'A customer' })
  await page.getByRole('tab', { name: 'JSON' }).press('ArrowRight')
  await page.getByLabel('Builder code').getByText("from 'sidecard'").waitFor()
  await page.locator('.widget_row-label').first().click()
  await expectVisible(page.getByLabel('Payload as JSON'))
})

test.each(['light', 'dark'] as const)(
  'the playground follows the site in %s, without an accessibility violation',
  async (theme) => {
    await page.evaluate((value) => {
      localStorage.setItem('vitepress-theme-appearance', value)
    }, theme)
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.reload()
      await page.getByLabel('Payload as JSON').waitFor()
      expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    }
  },
)
