import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openActionPage } from './helpers/action-page.ts'
import { STATES } from './helpers/action-server.ts'
import { connectBrowser } from './helpers/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})

const PHONE = { width: 320, height: 640 }

describe.each([
  ['light', undefined, 'none'],
  ['dark', undefined, 'none'],
  ['light', PHONE, 'none'],
  ['dark', PHONE, 'none'],
  ['light', undefined, 'active'],
  ['dark', PHONE, 'active'],
] as const)('%s, %o, forced colors: %s', (colorScheme, viewport, forcedColors) => {
  test.each(Object.keys(STATES))('%s is accessible, and fits', async (state) => {
    const { page, server, violations } = await openActionPage(browser, {
      colorScheme,
      forcedColors,
      ...(viewport && { viewport }),
    })
    await STATES[state]!(page, server)
    expect(await page.locator('h1').count()).toBe(1)
    const { violations: found } = await new AxeBuilder({ page }).analyze()
    expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
    expect(violations).toEqual([])
    expect(
      await page.evaluate(() => getComputedStyle(document.querySelector('h1')!).fontSize),
    ).toBe('22px')
  })
})
