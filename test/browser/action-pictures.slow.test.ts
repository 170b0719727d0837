import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ACTION_PICTURES, readPictureText } from '../../scripts/screenshots/action-pictures.ts'
import { openActionPage } from './helpers/action-page.ts'
import { connectBrowser } from './helpers/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})

const TAKEN = new URL('../../scripts/screenshots/action-pictures.json', import.meta.url)
const texts = JSON.parse(readFileSync(TAKEN, 'utf8')) as Record<string, string>

test.each(Object.keys(ACTION_PICTURES))(
  'the picture %s shows the text of the page. If this fails, run node scripts/screenshots.ts',
  async (name) => {
    const { page, server } = await openActionPage(browser)
    await ACTION_PICTURES[name]!.open(page, server)
    expect(await readPictureText(page)).toBe(texts[name])
  },
)
