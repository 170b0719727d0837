import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endpoint, createPayload } from './helpers/endpoints.ts'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

let workspace: Workspace

beforeEach(async () => {
  workspace = await openWorkspace({
    prepare: ({ apps }) =>
      apps.create({
        name: 'Billing',
        target: endpoint(() => createPayload({ type: 'text', label: 'Plan', value: 'Team' })),
      }),
  })
  await workspace.page.locator('.widget_row-value').first().waitFor()
})
afterEach(() => closeWorkspace(workspace))

test('Tab starts at the skip links', async () => {
  const { page } = workspace
  await page.locator('html[data-ready=true]').waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
})

test('s focuses the sidebar, e focuses Request as, and the skip links lead to both', async () => {
  const { page, open } = workspace
  await page.keyboard.press('s')
  await page.locator('#sidebar:focus').waitFor()
  await page.keyboard.press('e')
  await page.locator('#request-as:focus').waitFor()
  await page.getByRole('link', { name: 'Skip to sidebar' }).focus()
  await page.keyboard.press('Enter')
  await expectVisible(page.locator('#sidebar:focus'))
  await open('#/inspector')
  await page.locator('.list_item').first().waitFor()
  await page.keyboard.press('s')
  await expectVisible(page.locator('#sidebar:focus'))
})

test('the command palette finds commands, issues and states', async () => {
  const { page, emulator } = workspace
  const issue = emulator.issues.list()[2]
  emulator.project.set({ states: { Nobody: { ids: { account_id: 'acc_nobody' } } } })
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find a command').fill('playground')
  await page.keyboard.press('Enter')
  await page.getByLabel('Payload as JSON').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find a command').fill(`#${issue?.number}`)
  await page.getByRole('dialog').getByRole('option').first().click()
  await expect.poll(() => page.url()).toContain(issue?.id)
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find a command').fill('request nobody')
  await page.keyboard.press('Enter')
  await page.locator('.sidebar_request-banner').getByText('Nobody').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find a command').fill('check billing')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Verdict' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find a command').fill('no such thing')
  await page.getByText('No matching commands').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('the command palette receives keys that follow Ctrl-K immediately', async () => {
  const { page } = workspace
  await page.evaluate(() => {
    const press = (init: KeyboardEventInit) =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { bubbles: true, ...init }),
      )
    press({ key: 'k', ctrlKey: true })
    return Promise.resolve().then(() => press({ key: 'n' }))
  })
  await page.getByLabel('Find a command').waitFor()
  expect(page.url()).not.toContain('apps/new')
})

test('keys that follow each other immediately see the view that the first one opened', async () => {
  const { page, emulator } = workspace
  const ids = emulator.issues.list().map(({ id }) => id)
  await page.evaluate(() => {
    for (const key of ['g', 'i', 'j', 'j', '0']) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    }
  })
  await expect.poll(() => page.url()).toContain(ids[2])
  await page.goBack()
  await expect.poll(() => page.url()).toContain(ids[1])
})

test('a changed form asks for confirmation, and an unchanged one closes', async () => {
  const { page, open } = workspace
  await open('#/apps/new')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await open('#/apps/new')
  await page.getByLabel('Name', { exact: true }).fill('Orders')
  await page.keyboard.press('Escape')
  await page.getByText('Discard your changes?').waitFor()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Orders')
  await page.mouse.click(4, 4)
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.goBack()
  await page.getByText('Discard your changes?').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Orders')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('a notice moves no content, can be dismissed, and disappears with its view', async () => {
  const { page, open } = workspace
  const connect = async () => {
    await page.getByRole('button', { name: 'Billing menu' }).click()
    await page.getByRole('menuitem', { name: 'Retry Connection' }).click()
  }
  const height = () =>
    page.locator('.issues_view_issues-view').evaluate((view) => view.getBoundingClientRect().height)
  const notice = page.locator('.toast_notice')
  const before = await height()
  await connect()
  await notice.waitFor()
  expect(await height()).toBe(before)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => notice.count()).toBe(0)
  await connect()
  await notice.waitFor()
  // A notice stays for a moment, because its own action may have opened the view.
  await expect
    .poll(async () => {
      await open('#/states')
      await open('#/issues')
      return notice.count()
    })
    .toBe(0)
})

test('the title of the tab names the open item', async () => {
  const { page, open, emulator } = workspace
  const issue = emulator.issues.list()[0]
  await expect
    .poll(() => page.title())
    .toBe(`#${issue?.number} ${issue?.title} · Sidebar · Sidecard`)
  await open(`#/apps/${emulator.apps.list()[0]?.id}`)
  await expect.poll(() => page.title()).toBe('Billing · App · Sidecard')
})

describe('a narrow screen', () => {
  beforeEach(() => workspace.page.setViewportSize({ width: 390, height: 844 }))

  test('jumps to the sidebar, shows the current tab, and truncates no row', async () => {
    const { page, open } = workspace
    await page.getByRole('link', { name: 'Jump to the sidebar' }).click()
    await expect
      .poll(() =>
        page.locator('#sidebar').evaluate((sidebar) => {
          const { scrollTop, scrollHeight, clientHeight } = document.documentElement
          const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2
          return isAtEnd || Math.abs(sidebar.getBoundingClientRect().top) < 4
        }),
      )
      .toBe(true)
    await open('#/inspector')
    const tab = page.locator('.top_bar_views a[aria-current=page]')
    await expect
      .poll(() =>
        tab.evaluate((element) => {
          const { left, right } = element.getBoundingClientRect()
          return left >= 0 && right <= innerWidth
        }),
      )
      .toBe(true)
    await open('#/issues')
    await page.getByRole('tab', { name: 'Console' }).click()
    const filter = await page.getByLabel('Filter the console').boundingBox()
    const clear = await page.getByRole('button', { name: 'Clear' }).boundingBox()
    for (const box of [filter, clear]) {
      expect((box?.x ?? 390) + (box?.width ?? 390)).toBeLessThanOrEqual(390)
    }
    await open('#/issues')
    const cut = await page.locator('.issue_list_issues').evaluate((list) => {
      const { bottom } = list.getBoundingClientRect()
      return [...list.children].some((row) => {
        const box = row.getBoundingClientRect()
        return box.top < bottom - 2 && box.bottom > bottom + 2
      })
    })
    expect(cut).toBe(false)
  })
})

test('the selection and the state dots are visible with forced colors', async () => {
  await using forced = await openWorkspace({ context: { forcedColors: 'active' } })
  const { page } = forced
  const outline = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).outlineStyle)
  await page.locator('.list_item[aria-current=page]').waitFor()
  expect(await outline('.list_item[aria-current=page]')).toBe('solid')
  expect(await outline('.status_dot')).toBe('solid')
})

test('lists and details use the width at 2,560 pixels without overflowing', async () => {
  const { page, open } = workspace
  await page.setViewportSize({ width: 2560, height: 1440 })
  await open('#/inspector')
  await page.locator('.layout_detail').waitFor()
  const box = await page.locator('.layout_detail').boundingBox()
  expect(box?.width).toBeGreaterThan(1_300)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(2560)
})

test('the page names no command-line options', async () => {
  const { page, open } = workspace
  for (const view of ['issues', 'states', 'inspector', 'playground', 'api']) {
    await open(`#/${view}`)
    expect(await page.locator('body').innerText()).not.toMatch(
      /(?:^|\s)--?[a-zA-Z][\w-]*(?=\s)(?! 'Auth)/,
    )
  }
  await expectVisible(page.locator('#main'))
})
