import { chromium } from 'playwright-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createEmulator } from 'sidecard/emulator'
import type { Emulator, EmulatorOptions } from 'sidecard/emulator'
import { inject } from 'vitest'

/** The addresses that payloads of the tests may load icons from; nothing else leaves the page. */
export const ICONS = 'https://icons.test/'

/** An emulator with the workspace open in a page, and what the page did that it should not. */
export interface Workspace extends AsyncDisposable {
  readonly emulator: Emulator
  readonly page: Page
  /** Goes to a view by its hash, and waits until it is there. */
  readonly open: (hash: string) => Promise<void>
  /** Scripts that ran, dialogs, errors, refused or unexpected requests: always empty. */
  readonly misdeeds: readonly string[]
}

/** How a workspace is opened. */
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
  const browser = await chromium.connect(inject('browserEndpoint'))
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1440, height: 900 },
    ...options.context,
  })
  const misdeeds: string[] = []
  const page = await context.newPage()
  watch(page, new URL(url).origin, misdeeds)
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
    misdeeds,
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

/** What Chromium itself notes of a request that we let fail, and of styles in a message that is only parsed. */
const EXPECTED = [
  'Failed to load resource',
  'Applying inline style violates',
  "Setting the document's base URI to 'https://evil.test/' violates",
]

/** Notes everything that a hostile string would like to happen. */
function watch(page: Page, origin: string, misdeeds: string[]): void {
  page.on('dialog', (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => misdeeds.push(`error: ${error.message}`))
  page.on('popup', (popup) => misdeeds.push(`popup: ${popup.url()}`))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !EXPECTED.some((start) => text.startsWith(start))) {
      misdeeds.push(`console: ${text}`)
    }
  })
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(`${origin}/`) && !to.startsWith(ICONS)) misdeeds.push(`request: ${to}`)
  })
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(`${origin}/`)) {
      misdeeds.push(`navigation: ${frame.url()}`)
    }
  })
}
