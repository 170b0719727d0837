import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { draw } from '../helpers/draw.ts'
import { openActionPage } from './helpers/action-page.ts'
import { STATES } from './helpers/action-server.ts'
import { connectBrowser } from './helpers/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1_280, height: 720 }

/** The pages have no scripts, so a change of the screen is the same as a page that is opened there. */
const SCREENS = [
  { colorScheme: 'light', viewport: DESKTOP, forcedColors: 'none' },
  { colorScheme: 'dark', viewport: DESKTOP, forcedColors: 'none' },
  { colorScheme: 'light', viewport: PHONE, forcedColors: 'none' },
  { colorScheme: 'dark', viewport: PHONE, forcedColors: 'none' },
  { colorScheme: 'light', viewport: DESKTOP, forcedColors: 'active' },
  { colorScheme: 'dark', viewport: PHONE, forcedColors: 'active' },
  { colorScheme: 'light', viewport: PHONE, forcedColors: 'none', dir: 'rtl' },
] as const

test.each(Object.keys(STATES))(
  '%s is accessible, and fits, on the screens of the run',
  async (state) => {
    const { page, server, violations } = await openActionPage(browser)
    await STATES[state]!(page, server)
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.locator('script').count()).toBe(0)
    for (const screenOf of draw(SCREENS, 2, state)) {
      const { viewport, dir = 'ltr', ...media } = { dir: undefined, ...screenOf }
      const screen = `${media.colorScheme}, ${viewport.width}, ${dir}, forced colors: ${media.forcedColors}`
      // oxlint-disable no-await-in-loop -- one page on one screen after another
      await page.evaluate((value) => (document.documentElement.dir = value), dir)
      await page.emulateMedia(media)
      await page.setViewportSize(viewport)
      // The page has no frames, so legacy mode is sufficient and avoids an extra page for each
      // analysis.
      const axe = new AxeBuilder({ page }).setLegacyMode()
      // The dark page differs only in its colors.
      if (media.colorScheme === 'dark') axe.withRules('color-contrast')
      const { violations: found } = await axe.analyze()
      expect([screen, found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual([
        screen,
        [],
      ])
      const shown = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        heading: getComputedStyle(document.querySelector('h1')!).fontSize,
        isDark: matchMedia('(prefers-color-scheme: dark)').matches,
        width: innerWidth,
        isInOrder: [...document.querySelectorAll('main *')]
          .filter(({ children }) => children.length === 0)
          .map((leaf) => leaf.getBoundingClientRect())
          .filter(({ width }) => width > 0)
          .every(({ bottom }, index, all) => index === 0 || bottom > all[index - 1]!.top),
      }))
      expect([screen, shown]).toEqual([
        screen,
        {
          overflow: 0,
          heading: '22px',
          isDark: media.colorScheme === 'dark',
          width: viewport.width,
          // A screen reader reads from top to bottom.
          isInOrder: true,
        },
      ])
      // oxlint-enable no-await-in-loop
    }
    expect(violations).toEqual([])
  },
  60_000,
)
