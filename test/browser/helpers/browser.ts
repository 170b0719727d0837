import { chromium } from 'playwright-core'
import type { Browser, BrowserServer } from 'playwright-core'
import { afterAll } from 'vitest'
import { launchBrowser } from '../../../scripts/chromium.ts'

let server: Promise<BrowserServer> | undefined

/** Connects to the browser of this file: each has its own, since pages of one browser share a clipboard. */
export async function connectBrowser(): Promise<Browser> {
  server ??= launchBrowser()
  return chromium.connect((await server).wsEndpoint())
}

afterAll(async () => {
  await (await server)?.close()
})
