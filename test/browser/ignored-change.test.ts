import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { openWorkspace, type Workspace } from './helpers/workspace.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await openWorkspace()
})
afterEach(() => closeWorkspace(workspace))

test('names a change that was not loaded in every view, and the button loads it', async () => {
  const { page, open, emulator } = workspace
  const load = vi.fn(() => emulator.ignoredChange.set(undefined))
  emulator.ignoredChange.load = load
  await open('#/states')
  emulator.ignoredChange.set({ file: 'src/sidebar.ts', at: '2026-11-20T13:52:03Z' })
  const text =
    'src/sidebar.ts changed at 14:52:03 while your app was working, so it was not loaded.'
  await page.getByText(text).waitFor()
  await open('#/issues')
  await page.getByText(text).waitFor()
  await page.getByRole('button', { name: 'Reload', exact: true }).click()
  await page.getByText(text).waitFor({ state: 'detached' })
  expect(load).toHaveBeenCalledOnce()
})

test('does not name a file again whose notice was dismissed, because the app writes it', async () => {
  const { page, emulator } = workspace
  const notice = page.getByText('while your app was working')
  emulator.ignoredChange.set({ file: 'state.json', at: '2026-11-20T13:52:03Z' })
  await notice.waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await notice.waitFor({ state: 'detached' })
  emulator.ignoredChange.set({ file: 'state.json', at: '2026-11-20T13:52:09Z' })
  emulator.ignoredChange.set({ file: 'src/a.ts', at: '2026-11-20T13:52:10Z' })
  await expectVisible(page.getByText('src/a.ts changed'))
  emulator.ignoredChange.set({ file: 'state.json', at: '2026-11-20T13:52:11Z' })
  await notice.waitFor({ state: 'detached' })
})
