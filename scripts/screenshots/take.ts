/** `node scripts/screenshots.ts`: takes the screenshots of docs/images in a real browser. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { createEmulator } from '../../src/tools/emulator/index.ts'
import { launchBrowser } from '../chromium.ts'
import { createApps, ICON_FILES } from './apps.ts'

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url))
/** Most machines do not have a font for these characters. */
const NEEDS_RARE_FONTS = /[\u0590-\u06FF\u3000-\u9FFF]|\p{Extended_Pictographic}/u

/** The browser's package contains Open Sans. This configuration makes fontconfig find it. */
async function fonts(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sidecard-fonts-'))
  await writeFile(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${join(tmpdir(), 'fonts')}</dir><dir>/usr/share/fonts</dir><cachedir>${folder}</cachedir>
<alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>`,
  )
  return folder
}

let isBroken = false
/** Shortly after the newest message of the data set, so that relative times look realistic. */
const START_MS = Date.parse('2026-11-20T16:02:11Z')
const begun = performance.now()
await using emulator = createEmulator({ now: () => START_MS + (performance.now() - begun) })
const { documents } = emulator.snapshot()
emulator.restore({
  documents: documents.filter(
    ({ kind, body }) => kind !== 'issue' || !NEEDS_RARE_FONTS.test(JSON.stringify(body)),
  ),
})
for (const app of createApps(() => isBroken)) await emulator.apps.create(app)
const { url } = await emulator.listen({ port: 0 })
const server = await launchBrowser({ FONTCONFIG_PATH: await fonts() })
const browser = await chromium.connect(server.wsEndpoint())
await mkdir(IMAGES, { recursive: true })

const light = await open('light')
await light.locator('.widget_link').waitFor()
await take(light, 'workspace-light')

const dark = await open('dark')
isBroken = true
emulator.events.emit({ type: 'source_changed' })
await dark.locator('.findings_finding').first().waitFor()
await take(dark, 'workspace-dark')

await light.goto(`${url}#/inspector`)
await light.locator('.list_item').filter({ hasText: 'Unknown component' }).first().click()
await light.locator('.code_block_code-block').first().waitFor()
await take(light, 'inspector')

isBroken = false
emulator.project.set({
  customers: {
    'Northwind Traders': { ids: { account_id: 'acc_northwind' } },
    'Lumen Optics': { ids: { account_id: 'acc_lumen' } },
  },
  states: { Nobody: { ids: { account_id: 'acc_nobody' } } },
})
await light.goto(`${url}#/states`)
await light.locator('.states_state').nth(2).waitFor()
await take(light, 'all-states')

await light.goto(`${url}#/playground`)
const field = light.getByLabel('Payload as JSON')
await field.fill((await field.inputValue()).replace('"color": "orange"', '"color": "amber"'))
await light.locator('.playground_problem').filter({ hasText: 'amber' }).click()
await take(light, 'playground')

await browser.close()
await server.close()

async function open(colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
    locale: 'en-GB',
    timezoneId: 'Europe/Amsterdam',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(START_MS)
  await page.route('https://cdn.tidepool.example/**', (route) =>
    route.fulfill({
      body: ICON_FILES.get(route.request().url()) ?? '',
      contentType: 'image/svg+xml',
    }),
  )
  await page.goto(url)
  return page
}

/** Takes a screenshot after the fonts are loaded. */
async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: `${IMAGES}${name}.png`, scale: 'device' })
  console.log(`docs/images/${name}.png`)
}
