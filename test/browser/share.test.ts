import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createPayload, endpoint } from './helpers/endpoints.ts'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

const open = (emulator: { siteUrl?: string } = {}) =>
  openWorkspace({
    emulator,
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    prepare: ({ apps }) =>
      apps.create({
        name: 'Billing',
        target: endpoint((parameters) =>
          createPayload({
            type: 'text',
            label: 'Owner',
            value: parameters.get('requester_email') ?? '',
          }),
        ),
      }),
  })

async function openMenu({ page }: Workspace): Promise<void> {
  await page.locator('.widget_row-value').getByText('@').waitFor()
  await page.getByRole('button', { name: 'Billing menu' }).click()
}

test('a link to share has the shape of the payload in the fragment, and nothing is sent', async () => {
  const workspace = await open({ siteUrl: 'https://docs.sidecard.test/' })
  const { page, emulator } = workspace
  const email = emulator.issues.list()[0]!.requester.email
  await openMenu(workspace)
  await page.getByRole('menuitem', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByText('person1@example.com').waitFor()
  expect(await dialog.innerText()).toContain('Kept: Owner')
  expect(await dialog.innerText()).not.toContain(email)
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^https:\/\/docs\.sidecard\.test\/playground#\/playground\?payload=[\w-]+$/)
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const code = link.slice(link.indexOf('payload=') + 8)
  const shared = JSON.parse(inflateRawSync(Buffer.from(code, 'base64url')).toString()) as {
    components: object[]
  }
  expect(shared.components).toEqual([
    { type: 'text', label: 'Owner', value: 'person1@example.com' },
  ])
  await closeWorkspace(workspace)
})

test('without an address of the site, nothing can be shared', async () => {
  const workspace = await open()
  await openMenu(workspace)
  await workspace.page.getByRole('menuitem', { name: 'Check' }).waitFor()
  expect(await workspace.page.getByRole('menuitem', { name: /Share|link/i }).count()).toBe(0)
  await closeWorkspace(workspace)
})
