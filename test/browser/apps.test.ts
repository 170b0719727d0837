import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FetchTarget } from '../../src/tools/service/endpoint/target.ts'
import { draw } from '../helpers/draw.ts'
import { endpoint, createPayload, serve } from './helpers/endpoints.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

let workspace: Workspace

const GOOD = endpoint(() => createPayload({ type: 'text', label: 'Plan', value: 'Team' }))

describe('the form of a new app', () => {
  beforeEach(async () => {
    workspace = await openWorkspace()
    await workspace.page.getByRole('link', { name: 'Connect an app' }).first().click()
  })
  afterEach(() => workspace[Symbol.asyncDispose]())

  test('connects an endpoint with a secret header, and shows its widget', async () => {
    const { page, emulator } = workspace
    const seen: (string | null)[] = []
    const url = await serve((request) => {
      seen.push(request.headers.get('x-sidecard-secret'))
      return GOOD.fetch(request)
    })
    await page.getByLabel('Name', { exact: true }).fill('Billing')
    await page.getByLabel('Endpoint URL').fill(url)
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Header 1 name').fill('x-sidecard-secret')
    await page.getByLabel('Header 1 value').fill('s3cret')
    await page.getByRole('button', { name: 'Create and connect' }).click()
    await page.locator('.widget_widget .widget_row-value').getByText('Team').waitFor()
    expect(new Set(seen)).toEqual(new Set(['s3cret']))
    expect(emulator.apps.list()[0]?.state).toBe('connected')
    expect(await page.content()).not.toContain('s3cret')
  })

  test('shows the error of the URL at its field', async () => {
    const { page } = workspace
    await page.getByLabel('Name', { exact: true }).fill('Billing')
    await page.getByLabel('Endpoint URL').fill('ftp://example.com')
    await page.getByRole('button', { name: 'Create and connect' }).click()
    await page.getByRole('alert').waitFor()
    const field = page.getByLabel('Endpoint URL')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('dialog').count()).toBe(1)
  })

  test('marks a header that HTTP sets itself, and no other field', async () => {
    const { page } = workspace
    await page.getByLabel('Name', { exact: true }).fill('Billing')
    await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:9/')
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Header 1 name').fill('Host')
    await page.getByRole('button', { name: 'Create and connect' }).click()
    await page.getByText('HTTP sets this header').waitFor()
    const fields = [page.getByLabel('Header 1 name'), page.getByLabel('Endpoint URL')]
    const marks = await Promise.all(fields.map((field) => field.getAttribute('aria-invalid')))
    expect(marks).toEqual(['true', 'false'])
  })

  const failures: readonly [name: string, target: FetchTarget['fetch'], reason: string][] = [
    [
      'HTML',
      () => new Response('<p>hi', { headers: { 'content-type': 'text/html' } }),
      'text/html',
    ],
    ['a status', () => new Response('no', { status: 503 }), '503'],
    ['a redirect', () => Response.redirect('http://127.0.0.1/', 302), 'redirect'],
    ['another code', () => Response.json({ code: 'other' }), 'instead of the code'],
  ]
  // Each waits for ten seconds, until the emulator has tried again.
  test.each(draw(failures, 1))(
    'a handshake response of %s leaves the app unverified, with the reason and the fix',
    async (_, fetch, reason) => {
      const { page, emulator } = workspace
      const url = await serve(fetch)
      await page.getByLabel('Name', { exact: true }).fill('Billing')
      await page.getByLabel('Endpoint URL').fill(url)
      await page.getByRole('button', { name: 'Create and connect' }).click()
      const widget = page.locator('.panel_panel')
      await widget.getByText('Unverified', { exact: true }).waitFor()
      const pane = page.getByRole('region', { name: 'Diagnostics' })
      await expect.poll(() => pane.innerText()).toContain(reason)
      const result = emulator.apps.list()[0]?.lastHandshake?.result
      if (result?.ok !== false) throw new Error('the handshake succeeded')
      const { fix, explanation } = result
      for (const text of [fix, explanation.saw, explanation.why]) {
        expect(text).not.toBe('')
        expect(await pane.innerText()).toContain(text)
      }
      await pane.getByRole('link', { name: 'Open in Requests' }).click()
      await page.getByRole('heading', { name: 'verify to Billing' }).waitFor()
    },
  )
})

describe('an app in the sidebar', () => {
  let isUp = true

  beforeEach(async () => {
    isUp = true
    workspace = await openWorkspace({
      prepare: ({ apps }) =>
        apps.create({
          name: 'Billing',
          headers: { 'x-secret': 'k', 'x-other': 'o' },
          target: {
            fetch: (request) =>
              isUp ? GOOD.fetch(request) : new Response('down', { status: 500 }),
          },
        }),
    })
    await workspace.page.locator('.widget_row-value').getByText('Team').waitFor()
  })
  afterEach(() => workspace[Symbol.asyncDispose]())

  async function choose(item: string): Promise<void> {
    await workspace.page.getByRole('button', { name: 'Billing menu' }).click()
    await workspace.page.getByRole('menuitem', { name: item }).click()
  }

  test('can be disconnected and reconnected from its menu', async () => {
    const { page, emulator } = workspace
    await choose('Disconnect')
    await page.locator('.status_pill').getByText('Disconnected').waitFor()
    expect(await page.locator('.widget_row-value').count()).toBe(0)
    await choose('Retry Connection')
    await page.locator('.widget_row-value').getByText('Team').waitFor()
    expect(emulator.apps.list()[0]?.state).toBe('connected')
  })

  test('becomes unverified if its endpoint is down, and reconnects with the retry button', async () => {
    const { page } = workspace
    isUp = false
    await choose('Retry Connection')
    const retry = page.locator('.widget_widget').getByRole('button', { name: 'Retry Connection' })
    await retry.waitFor()
    isUp = true
    await retry.click()
    await expectVisible(page.locator('.widget_row-value').getByText('Team'))
  })

  test('keeps an unchanged header, replaces one and removes one', async () => {
    const { page, emulator } = workspace
    await choose('Edit')
    expect(await page.getByLabel('Header 1 name').inputValue()).toBe('x-secret')
    await page.getByRole('button', { name: 'Remove header x-other' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => emulator.apps.list()[0]?.headerNames).toEqual(['x-secret'])
    await choose('Edit')
    await page.getByRole('button', { name: 'Replace the value of x-secret' }).click()
    await page.getByLabel('Header 1 value').fill('new')
    await page.getByLabel('Name', { exact: true }).fill('Plans')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => emulator.apps.list()[0]?.name).toBe('Plans')
  })

  test('is deleted after a confirmation', async () => {
    const { page, emulator } = workspace
    await choose('Delete')
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(emulator.apps.list()).toHaveLength(1)
    await choose('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No apps connected').waitFor()
    expect(emulator.apps.list()).toHaveLength(0)
  })

  test('is reloaded when its source changes, with the last successful render below an error', async () => {
    const { page, emulator } = workspace
    isUp = false
    emulator.events.emit({ type: 'source_changed' })
    await page.locator('.widget_last-good').getByText('Team').waitFor()
    isUp = true
    emulator.events.emit({ type: 'source_changed' })
    await expect.poll(() => page.locator('.widget_last-good').count()).toBe(0)
  })
})
