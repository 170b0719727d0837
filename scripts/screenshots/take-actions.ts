/** `node scripts/screenshots.ts`: takes the pictures of an action's page for the documentation. */
import { chromium } from 'playwright-core'
import { serveActions, STATES } from '../../test/browser/helpers/action-server.ts'
import { launchBrowser } from '../chromium.ts'

const PICTURES = {
  'action-form': ['form', 'light', 560, 700],
  'action-form-dark': ['form', 'dark', 560, 700],
  'action-done': ['done', 'light', 560, 330],
} as const

const server = await launchBrowser()
const browser = await chromium.connect(server.wsEndpoint())
for (const [name, [state, colorScheme, width, height]] of Object.entries(PICTURES)) {
  const app = await serveActions()
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height },
    deviceScaleFactor: 2,
  })
  const page = await context.newPage()
  await STATES[state]!(page, app)
  const path = new URL(`../../docs/images/${name}.png`, import.meta.url).pathname
  await page.screenshot({ path, fullPage: true })
  await context.close()
  await app.close()
}
await browser.close()
await server.close()
