import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoint, createPayload } from './helpers/endpoints.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'
import { addLargeData } from '../helpers/large-data.ts'

let workspace: Workspace

beforeEach(async () => {
  workspace = await openWorkspace({
    context: { viewport: { width: 900, height: 700 } },
    prepare: ({ apps }) =>
      apps.create({
        name: 'Billing',
        target: endpoint(() => createPayload({ type: 'text', label: 'Plan', value: 'Team' })),
      }),
  })
  await workspace.page.locator('.widget_row-value').first().waitFor()
})
afterEach(() => workspace[Symbol.asyncDispose]())

test('j and k step through issues, / focuses the search, and keys in a field are text', async () => {
  const { page, emulator } = workspace
  const issues = emulator.issues.list()
  const current = page.locator('.list_item[aria-current=page] .issue_list_issue-title')
  await page.keyboard.press('j')
  await expect.poll(() => current.textContent()).toBe(issues[1]?.title)
  await page.keyboard.press('k')
  await expect.poll(() => current.textContent()).toBe(issues[0]?.title)
  await page.keyboard.press('/')
  await page.keyboard.type('jjj')
  expect(await page.getByLabel('Search issues').inputValue()).toBe('jjj')
  expect(page.url()).toContain(issues[0]?.id)
})

test.each([
  ['/', {}, '#/issues', 'issue-search'],
  ['/', {}, '#/playground', 'issue-search'],
  ['e', {}, '#/issues', 'request-as'],
  ['s', {}, '#/issues', 'sidebar'],
  ['k', { ctrlKey: true }, '#/issues', 'Find a command'],
])('the key after %j %j in %s finds the focus', async (key, modifiers, hash, target) => {
  const { page } = workspace
  await page.goto(`${workspace.emulator.url}${hash}`)
  await page.locator('#main').waitFor()
  const focused = await page.evaluate(
    async ([pressed, held]) => {
      dispatchEvent(new KeyboardEvent('keydown', { key: pressed, ...held }))
      // The next key is another task, which may come before the next frame.
      const { port1, port2 } = new MessageChannel()
      await new Promise((resolve) => {
        port1.addEventListener('message', resolve, { once: true })
        port1.start()
        port2.postMessage(null)
      })
      const element = document.activeElement as HTMLInputElement
      return [element.id, element.ariaLabel, element.labels?.[0]?.textContent]
    },
    [key, modifiers] as const,
  )
  expect(focused).toContainEqual(expect.stringContaining(target))
})

test('? lists the shortcuts, and Escape closes the list and restores the focus', async () => {
  const { page } = workspace
  const opener = page.getByRole('button', { name: 'Workspace menu' })
  await opener.focus()
  await page.keyboard.press('?')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' })
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('the arrow keys move through the menu of an app', async () => {
  const { page } = workspace
  await page.getByRole('button', { name: 'Billing menu' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[role=menuitem]:focus').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expectVisible(page.getByRole('heading', { name: 'Edit Billing' }))
})

test('Tab reaches every control and shows the focus', async () => {
  const { page } = workspace
  const wanted = await page
    .locator(
      'a[href]:visible, button:visible:not(:disabled, [tabindex="-1"]), select:visible, input:visible',
    )
    .count()
  const seen = new Set<string>()
  for (let presses = 0; presses < wanted + 5; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      if (element === null || element === document.body) return null
      const all = [...document.querySelectorAll('*')]
      const { outlineStyle, boxShadow, borderColor } = getComputedStyle(element)
      const isMarked = outlineStyle !== 'none' || boxShadow !== 'none' || borderColor !== ''
      return { index: all.indexOf(element), isMarked }
    })
    if (focused === null) continue
    expect(focused.isMarked).toBe(true)
    seen.add(String(focused.index))
  }
  expect(seen.size).toBeGreaterThanOrEqual(wanted)
})

test('the chosen theme survives a reload', async () => {
  const { page } = workspace
  await page.getByRole('button', { name: 'Workspace menu' }).click()
  await page.getByRole('menuitem', { name: 'Dark theme' }).click()
  await page.reload()
  await page.locator('.widget_row-value').first().waitFor()
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(background).toBe('rgb(19, 19, 18)')
})

test('without the session token, the page shows only the reason', async () => {
  const { page, emulator } = workspace
  await page.route(`${emulator.url}/`, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/(sidecard-token" content=")[^"]*/, '$1forged')
    await route.fulfill({ response, body })
  })
  await page.reload()
  await page.getByText('Cannot load the workspace').waitFor()
  expect(await page.locator('.list_item').count()).toBe(0)
})

test('if the emulator stops, the page shows a notice, keeps its content, and reconnects', async () => {
  const { page } = workspace
  await page.route('**/-/events', (route) => route.abort())
  await page.reload()
  await page.getByText('Connection lost').waitFor()
  await expect.poll(() => page.locator('.list_item').count()).toBeGreaterThan(0)
  await page.unroute('**/-/events')
  await page.getByText('Connection lost').waitFor({ state: 'detached' })
})

test.each([360, 900, 1280, 1600])('nothing overflows at a width of %i pixels', async (width) => {
  const { page, open } = workspace
  await page.setViewportSize({ width, height: 800 })
  for (const view of ['#/issues', '#/states', '#/inspector', '#/playground', '#/api']) {
    await open(view)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect({ view, wide }).toEqual({ view, wide: width })
  }
})

test('a large data set is shown and can be searched', async () => {
  await using large = await openWorkspace({
    prepare: async (emulator) => addLargeData(emulator),
  })
  const count = large.emulator.issues.list().length
  expect(await large.page.locator('.list_item').count()).toBe(count)
})
