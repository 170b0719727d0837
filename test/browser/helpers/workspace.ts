import type { BrowserContextOptions, Page } from 'playwright-core'
import { createEmulator } from 'sidecard/emulator'
import type { Emulator, EmulatorOptions } from 'sidecard/emulator'
import { connectBrowser } from './browser.ts'

/** The prefix of icon URLs that test payloads may load. Other external requests are violations. */
export const ICONS = 'https://icons.test/'

/** An emulator with its workspace in a browser page. */
export interface Workspace extends AsyncDisposable {
  readonly emulator: Emulator
  readonly page: Page
  /** Opens a view by its hash and waits for it. */
  readonly open: (hash: string) => Promise<void>
  /** Foreign scripts, dialogs, errors, and blocked or unexpected requests. It must be empty. */
  readonly violations: readonly string[]
}

/** Options for `openWorkspace()`. */
export interface WorkspaceOptions {
  readonly emulator?: EmulatorOptions
  readonly context?: BrowserContextOptions
  /** Creates apps before the page is opened. */
  readonly prepare?: (emulator: Emulator) => Promise<unknown>
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/eL9xXwAAAABJRU5ErkJggg==',
  'base64',
)

/** Opens the workspace of a fresh emulator. */
export async function openWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const emulator = createEmulator(options.emulator)
  const { url } = await emulator.listen({ port: 0 })
  await options.prepare?.(emulator)
  const browser = await connectBrowser()
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1440, height: 900 },
    ...options.context,
  })
  // Less than the limit of a test, so that a failure names the call that waited.
  context.setDefaultTimeout(20_000)
  const violations: string[] = []
  const page = await context.newPage()
  watch(page, new URL(url).origin, violations)
  await page.route(`${ICONS}**`, (route) =>
    route.request().url().includes('broken')
      ? route.fulfill({ status: 404 })
      : route.fulfill({ body: PIXEL, contentType: 'image/png' }),
  )
  await page.goto(url)
  await page.locator('#main:not([aria-busy])').waitFor()
  return {
    emulator,
    page,
    violations,
    async open(hash) {
      await page.evaluate((to) => {
        location.hash = to
      }, hash)
      await page.locator('#main').waitFor()
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await emulator.close()
    },
  }
}

/**
 * Messages that Chromium logs for requests that the tests let fail, and for
 * styles in a message that is only parsed.
 */
const EXPECTED = [
  'Failed to load resource',
  'Applying inline style violates',
  "Setting the document's base URI to 'https://evil.test/' violates",
]

/** Records every effect that a hostile string could have. */
function watch(page: Page, origin: string, violations: string[]): void {
  page.on('dialog', (dialog) => {
    violations.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => violations.push(`error: ${error.message}`))
  page.on('popup', (popup) => violations.push(`popup: ${popup.url()}`))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !EXPECTED.some((start) => text.startsWith(start))) {
      violations.push(`console: ${text}`)
    }
  })
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(`${origin}/`) && !to.startsWith(ICONS)) violations.push(`request: ${to}`)
  })
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(`${origin}/`)) {
      violations.push(`navigation: ${frame.url()}`)
    }
  })
}
