import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SaveView } from '../../src/tools/emulator/protocol/workspace.ts'
import { echoAccount, endpoint } from './helpers/endpoints.ts'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { openWorkspace, type Workspace } from './helpers/workspace.ts'

const SERVER = {}

let workspace: Workspace
beforeEach(async () => {
  workspace = await openWorkspace({
    prepare: ({ apps }) => apps.create({ name: 'Billing', target: endpoint(echoAccount) }),
  })
})
afterEach(() => closeWorkspace(workspace))

/** Lets the emulator report what happened to a save. */
function report(view: Partial<SaveView>): void {
  const { emulator } = workspace
  const appIds = emulator.apps.list().map(({ id }) => id)
  emulator.saves.set(SERVER, {
    appIds,
    phase: 'waiting',
    files: ['src/sidebar.ts'],
    at: '2026-11-20T13:52:03Z',
    held: null,
    ...view,
  })
}

test('a save that waits for new code is named, and the sidebar is called the last render', async () => {
  const { page } = workspace
  const rendered = page.locator('.panel_strip').getByText('Rendered').first()
  await rendered.waitFor()
  const notice = page.getByText('Saved src/sidebar.ts at 14:52:03, waiting for new code…')
  report({ phase: 'waiting' })
  await notice.waitFor()
  await expectVisible(page.getByText(/^Last render, /).first())
  await rendered.waitFor({ state: 'detached' })
  report({ phase: 'failed' })
  await notice.waitFor({ state: 'detached' })
  await expectVisible(page.getByText(/^Last render, /).first())
  report({ phase: 'shown' })
  await rendered.waitFor()
})

test('a file that waits is named in every view, and the button loads it', async () => {
  const { page, open, emulator } = workspace
  const load = vi.fn(() => report({ phase: 'shown' }))
  emulator.saves.load = load
  await open('#/states')
  report({ phase: 'shown', held: { file: 'state.json', until: '2026-11-20T13:52:09Z' } })
  const text = 'state.json waits until 14:52:09, because your app seems to write it.'
  await page.getByText(text).waitFor()
  await open('#/issues')
  await page.getByText(text).waitFor()
  await page.getByRole('button', { name: 'Reload', exact: true }).click()
  await page.getByText(text).waitFor({ state: 'detached' })
  expect(load).toHaveBeenCalledOnce()
})

test('an error in the project file stays in the page until it is repaired', async () => {
  const { page, emulator } = workspace
  const notice = page.getByText('sidecard.json:3: statess is not known. Did you mean "states"?')
  emulator.projectProblem.set('sidecard.json:3: statess is not known. Did you mean "states"?')
  await expectVisible(notice)
  emulator.projectProblem.set(null)
  await notice.waitFor({ state: 'detached' })
})
