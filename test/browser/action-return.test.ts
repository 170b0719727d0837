import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { noAuth, sidecard, text } from 'sidecard'
import { action, actions, memoryReceipts } from 'sidecard/actions'
import { createClient } from 'sidecard/client'
import { serve } from 'sidecard/node'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod/mini'
import { findFreePort } from '../helpers/free-port.ts'
import { openWorkspace } from './helpers/workspace.ts'

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
}

test.each(['light', 'dark'] as const)('the API view lists the tasks (%s)', async (colorScheme) => {
  await using workspace = await openWorkspace({ context: { colorScheme, reducedMotion: 'reduce' } })
  const { page, open, emulator } = workspace
  await open('#/api')
  await page.getByText('No tasks yet.').waitFor()
  const { url: baseUrl, accessToken } = emulator
  const { tasks } = createClient({ baseUrl, accessToken })
  await tasks.create({
    title: 'Call back',
    account_id: 'acc_koi',
    due_date: '2026-12-01T00:00:00Z',
  })
  const row = page.getByRole('row', { name: 'Call back' })
  await row.waitFor()
  expect(await row.innerText()).toMatch(/acc_koi[^]*2026-12-01/)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await expectAccessible(page)
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(overflow)).toBe(0)
  emulator.reset()
  await page.getByText('No tasks yet.').waitFor()
})

test('the widget shows the change when the developer returns from the page of an action', async () => {
  const port = await findFreePort()
  let plan = 'Trial'
  const upgrade = action()({
    name: 'upgrade',
    label: 'Upgrade',
    input: z.object({}),
    show: () => text({ label: 'Plan', value: plan }),
    run: () => void (plan = 'Business'),
  })
  const app = sidecard({
    name: 'billing',
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [text({ label: 'Plan', value: plan }), upgrade.button({})],
    actions: actions({
      list: [upgrade],
      publicUrl: `http://127.0.0.1:${port}`,
      secret: 'an-action-secret-of-more-than-32-characters',
      // The variable SIDECARD_DEV provides the agent.
      signIn: () => Promise.reject(new Error('no sign-in')),
      receipts: memoryReceipts(),
    }),
  })
  const env = { SIDECARD_DEV: '1' }
  const server = await serve(app, { port, handleSignals: false, env })
  onTestFinished(() => server.close())
  await using workspace = await openWorkspace({
    prepare: async ({ apps }) => void (await apps.create({ name: 'Billing', url: server.url })),
  })
  const { page } = workspace
  const sidebar = page.locator('[data-component]')
  await sidebar.filter({ hasText: 'Trial' }).waitFor()
  // A headless browser does not send it.
  const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const popup = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Upgrade', exact: true }).click()
  const opened = await popup
  await opened.getByRole('button', { name: 'Upgrade' }).waitFor()
  await comeBack()
  await page.getByText('Upgrade: not done').waitFor()
  await opened.getByRole('button', { name: 'Upgrade' }).click()
  await opened.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await sidebar.filter({ hasText: 'Business' }).count()).toBe(0)
  await opened.close()
  await comeBack()
  await sidebar.filter({ hasText: 'Business' }).waitFor()
  await page.getByText('Upgrade: done').waitFor()
  await expectAccessible(page)
  expect(await page.locator('[data-widget]').innerText()).not.toContain('not done')
})
