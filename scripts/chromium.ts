import { existsSync } from 'node:fs'
import pack from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import type { BrowserServer } from 'playwright-core'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser']

/**
 * Returns the path of Chromium: `CHROME_PATH`, the one in an npm package for Linux
 * on x64, or an installed one.
 */
export async function findChromium(): Promise<string | undefined> {
  if (process.env['CHROME_PATH'] !== undefined) return process.env['CHROME_PATH']
  if (process.platform === 'linux' && process.arch === 'x64') return pack.executablePath()
  return INSTALLED.find((path) => existsSync(path))
}

/** Starts a headless browser. */
export async function launchBrowser(
  environment: Readonly<Record<string, string>> = {},
): Promise<BrowserServer> {
  const executablePath = await findChromium()
  return chromium.launchServer({
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    env: { ...process.env, ...environment },
    ...(executablePath !== undefined && { executablePath }),
  })
}
