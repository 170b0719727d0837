import { noAuth, sidecard, text } from 'sidecard'
import { action, actions, memoryClaims } from 'sidecard/actions'
import { serve } from 'sidecard/node'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod/mini'
import { findFreePort } from '../helpers/free-port.ts'
import { openWorkspace } from './helpers/workspace.ts'

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
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [text({ label: 'Plan', value: plan }), upgrade.button({})],
    actions: actions({
      list: [upgrade],
      publicUrl: `http://127.0.0.1:${port}`,
      secret: 'an-action-secret-of-more-than-32-characters',
      // The variable SIDECARD_DEV provides the agent.
      agent: () => Promise.reject(new Error('no sign-in')),
      claims: memoryClaims(),
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
  const popup = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Upgrade', exact: true }).click()
  const opened = await popup
  await opened.getByRole('button', { name: 'Confirm' }).click()
  await opened.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await sidebar.filter({ hasText: 'Business' }).count()).toBe(0)
  await opened.close()
  // A headless browser does not send it.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await sidebar.filter({ hasText: 'Business' }).waitFor()
})
