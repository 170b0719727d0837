import { existsSync } from 'node:fs'
import pack from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import type { BrowserServer } from 'playwright-core'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser']

/**
 * A Chromium to run: `CHROME_PATH`, or the one that an npm package carries for
 * Linux on x64, or an installed one.
 */
async function chromiumPath(): Promise<string | undefined> {
  if (process.env['CHROME_PATH'] !== undefined) return process.env['CHROME_PATH']
  if (process.platform === 'linux' && process.arch === 'x64') return pack.executablePath()
  return INSTALLED.find((path) => existsSync(path))
}

/** Starts a browser without a window. */
export async function launchBrowser(
  environment: Readonly<Record<string, string>> = {},
): Promise<BrowserServer> {
  const executablePath = await chromiumPath()
  return chromium.launchServer({
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    env: { ...process.env, ...environment },
    ...(executablePath !== undefined && { executablePath }),
  })
}
