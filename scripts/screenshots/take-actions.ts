/** `node scripts/screenshots.ts`: takes the pictures of an action's page for the documentation. */
import { writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { serveActions } from '../../test/browser/helpers/action-server.ts'
import { launchBrowser } from '../chromium.ts'
import { ACTION_PICTURES, readPictureText } from './action-pictures.ts'

const server = await launchBrowser()
const browser = await chromium.connect(server.wsEndpoint())
const texts: Record<string, string> = {}
for (const [name, { open, colorScheme = 'light' }] of Object.entries(ACTION_PICTURES)) {
  const app = await serveActions()
  const viewport = { width: 540, height: 250 }
  const context = await browser.newContext({ colorScheme, viewport, deviceScaleFactor: 1.4 })
  const page = await context.newPage()
  await open(page, app)
  texts[name] = await readPictureText(page)
  const path = new URL(`../../docs/images/${name}.png`, import.meta.url).pathname
  await page.screenshot({ path, fullPage: true })
  await context.close()
  await app.close()
}
const file = new URL('action-pictures.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(texts, undefined, 2)}\n`)
await browser.close()
await server.close()
