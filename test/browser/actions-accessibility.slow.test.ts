import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serveActions, STATES } from './helpers/action-server.ts'
import { connectBrowser } from './helpers/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})

async function openPage(options: BrowserContextOptions) {
  const server = await serveActions()
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    await server.close()
  })
  return { page, server, violations }
}

const PHONE = { width: 320, height: 640 }

describe.each([
  ['light', undefined],
  ['dark', undefined],
  ['light', PHONE],
  ['dark', PHONE],
] as const)('%s, %o', (colorScheme, viewport) => {
  test.each(Object.keys(STATES))('%s is accessible, and fits', async (state) => {
    const { page, server, violations } = await openPage({
      colorScheme,
      ...(viewport && { viewport }),
    })
    await STATES[state]!(page, server)
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
