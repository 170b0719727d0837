import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { echoAccount, endpoint } from './helpers/endpoints.ts'
import { openWorkspace } from './helpers/workspace.ts'

const CUSTOMERS = {
  Acme: { ids: { account_id: 'acc_acme' } },
  Lumen: { ids: { account_id: 'acc_lumen' } },
}

/** More stops than the longest view has. */
const MAX_STOPS = 150

/** The focused element: its name, and whether a person sees where the focus is. */
function readFocus(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return { name: '', isSeen: false }
    const { top, bottom, left, right, width, height } = element.getBoundingClientRect()
    const isOnScreen =
      width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const isMarked = outlineStyle !== 'none' && outlineWidth !== '0px'
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const [label = element] = labels
    // The text of the content may still be loading.
    const content = element.matches('main') ? 'content' : label.textContent
    const name = element.getAttribute('aria-label') ?? content ?? ''
    return { name: name.replaceAll(/\s+/g, ' ').trim(), isSeen: isOnScreen && isMarked }
  })
}

/** Waits until an element has the focus, and its mark is on the screen. */
function expectFocus(page: Page, name: RegExp): Promise<void> {
  const expected = { name: expect.stringMatching(name), isSeen: true }
  return expect.poll(() => readFocus(page)).toEqual(expected)
}

/** Presses Tab until an element is focused. The focus must be visible at every stop. */
async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const stops: string[] = []
  for (let count = 0; count < MAX_STOPS; count += 1) {
    // oxlint-disable no-await-in-loop -- one key after another
    await page.keyboard.press(key)
    const focus = await readFocus(page)
    stops.push(focus.name)
    // After the last element of the page, the browser has the focus.
    if (focus.name !== '') await expectFocus(page, /./)
    // oxlint-enable no-await-in-loop
    if (name.test(focus.name)) return
  }
  throw new Error(`Tab does not reach ${name}: ${stops.join(', ')}`)
}

test.each([
  ['a wide', { width: 1440, height: 900 }],
  ['a narrow', { width: 390, height: 844 }],
])(
  'the main tasks work with the keyboard alone on %s screen',
  async (_name, viewport) => {
    const saved: object[] = []
    const workspace = await openWorkspace({
      context: { viewport, reducedMotion: 'reduce' },
      emulator: {
        project: { customers: CUSTOMERS },
        saveToProject: async (entries) => {
          saved.push(entries)
          return { customers: CUSTOMERS, states: {} }
        },
      },
      prepare: ({ apps }) => apps.create({ name: 'Billing', target: endpoint(echoAccount) }),
    })
    const { page, emulator } = workspace
    const press = (...keys: readonly string[]) =>
      keys.reduce(async (before, key) => {
        await before
        await page.keyboard.press(key)
      }, Promise.resolve())
    await page.locator('html[data-ready=true]').waitFor()

    // Open an issue.
    const issue = emulator.issues.list()[1]!
    const titled = new RegExp(issue.title.replaceAll(/[^\w ]/g, '.'))
    await tabTo(page, titled)
    await press('Enter')
    await expect.poll(() => page.url()).toContain(issue.id)
    await expectFocus(page, titled)

    // Switch the customer, and switch again from there.
    await tabTo(page, /^Request as$/)
    await press('ArrowDown')
    await page.locator('.sidebar_request-banner').getByText('Acme').waitFor()
    await expectFocus(page, /^Request as$/)
    await press('ArrowDown')
    await page.locator('.widget_row-value').getByText('acc_lumen').waitFor()
    await expectFocus(page, /^Request as$/)

    // Open States, and run them again.
    await tabTo(page, /^States$/, 'Shift+Tab')
    await press('Enter')
    await page.locator('.states_state').nth(1).waitFor()
    await expectFocus(page, /^States$/)
    await tabTo(page, /^Run again$/)
    await press('Enter')
    await page.getByText('2 states, no failures').waitFor()
    await expectFocus(page, /^Run again$/)

    // Open Requests, then a request, and send it again.
    await tabTo(page, /^Requests$/, 'Shift+Tab')
    await press('Enter')
    await page.getByRole('button', { name: 'Replay' }).waitFor()
    await tabTo(page, /Lumen/)
    await press('Enter')
    const shown = page.url()
    await page.locator('.layout_detail-facts').getByText('Lumen').waitFor()
    await tabTo(page, /^Replay$/)
    await press('Enter')
    await page
      .getByText(/^replay of/)
      .first()
      .waitFor()
    expect(page.url()).not.toBe(shown)
    await expectFocus(page, /^Replay$/)

    // Open and close the menu, and save the request as a state.
    await tabTo(page, /^More actions$/)
    await press('Enter')
    await expectFocus(page, /^Save as state$/)
    await press('Escape')
    await expectFocus(page, /^More actions$/)
    await press('Enter')
    await expectFocus(page, /^Save as state$/)
    await press('Enter')
    await expectFocus(page, /^Name$/)
    await page.keyboard.type('Past due')
    await press('Enter')
    await expect.poll(() => saved).toHaveLength(1)
    expect(JSON.stringify(saved)).toContain('Past due')
    await expectFocus(page, /^More actions$/)

    // Close a changed dialog.
    await press('Enter')
    await expectFocus(page, /^Save as state$/)
    await press('Enter')
    await expectFocus(page, /^Name$/)
    await page.keyboard.type('x')
    await press('Escape')
    await tabTo(page, /^Discard$/, 'Shift+Tab')
    await press('Enter')
    await expectFocus(page, /^More actions$/)

    // The workspace menu, and the dialogs that keys open.
    await tabTo(page, /^Workspace menu$/, 'Shift+Tab')
    await press('Enter')
    await expectFocus(page, /^Playground$/)
    await press('End', 'Enter')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    await press('Escape')
    await expectFocus(page, /^Workspace menu$/)
    await press('Control+k')
    await expectFocus(page, /^Find a command$/)
    await press('Escape')
    await expectFocus(page, /^Workspace menu$/)
    await closeWorkspace(workspace)
  },
  90_000,
)
