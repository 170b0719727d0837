import type { Page } from 'playwright-core'
import type { Message } from 'sidecard/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { endpoint, createPayload } from './helpers/endpoints.ts'
import { HOSTILE, EDGE_CASE_STRINGS, XSS } from './helpers/hostile-strings.ts'
import { openSingleApp } from './helpers/single-app.ts'
import type { SingleApp } from './helpers/single-app.ts'
import { playgroundEditor } from './helpers/playground.ts'
import { ICONS } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

const BATCH_SIZE = 60

let workspace: Workspace
let show: SingleApp['show']

beforeEach(async () => {
  ;({ workspace, show } = await openSingleApp())
})

afterEach(() => closeWorkspace(workspace))

function chunks(strings: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(strings.length / BATCH_SIZE) }, (_, index) =>
    strings.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  )
}

/** Finds elements and attributes that the workspace never renders. */
async function findForeignNodes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    for (const element of document.querySelectorAll('#app *')) {
      if (
        element.matches(
          'script, iframe, object, embed, style, link, meta, base, form[action], video, audio',
        )
      ) {
        found.push(`<${element.localName}>`)
      }
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) found.push(`${name} on <${element.localName}>`)
        const isAddress = name === 'href' || name === 'src' || name === 'xlink:href'
        if (isAddress && !/^(?:https?:\/\/|mailto:|#|\/docs$|\/openapi\.json$)/.test(value)) {
          found.push(`${name}=${value}`)
        }
      }
      if (element.matches('a[target]') && element.getAttribute('rel') !== 'noopener noreferrer') {
        found.push('a link without rel')
      }
    }
    return found
  })
}

async function expectHarmless(): Promise<void> {
  expect(await findForeignNodes(workspace.page)).toEqual([])
  expect(workspace.violations).toEqual([])
}

test('the corpus has the documented size', () => {
  expect(new Set(XSS).size).toBeGreaterThan(200)
  expect(new Set(EDGE_CASE_STRINGS).size).toBeGreaterThan(250)
})

test('every string of every component is shown literally as text', async () => {
  const { page } = workspace
  for (const strings of chunks(HOSTILE)) {
    await show({
      ...createPayload(
        ...strings.flatMap((value) => [
          { type: 'text', label: value, value },
          { type: 'badge', label: value, items: [{ value, color: 'blue' }] },
          { type: 'button', label: value, button_type: 'link', url: 'https://example.com/' },
          { type: 'link', label: value, url: 'https://example.com/' },
          {
            type: 'card',
            header: { title: value },
            components: [{ type: 'date_time', label: value, value: '2026-11-21T09:30:00Z' }],
          },
        ]),
      ),
      header: { title: strings[0] },
      version: strings[1],
    })
    const shown = await page.locator('.clamp').allTextContents()
    expect(shown.map((value) => value.toWellFormed())).toEqual(
      strings.map((value) => value.toWellFormed()),
    )
    const titles = await page.locator('.widget_card h4').allTextContents()
    expect(titles.map((value) => value.toWellFormed())).toEqual(
      strings.filter(Boolean).map((value) => value.toWellFormed()),
    )
  }
  await expectHarmless()
})

test('as URLs and icons, they are not links and load nothing', async () => {
  for (const strings of chunks(HOSTILE)) {
    await show({
      ...createPayload(
        ...strings.flatMap((value) => [
          { type: 'text', label: 'x', value: 'x', icon_url: value },
          { type: 'link', label: 'x', url: value },
          { type: 'button', label: 'x', button_type: 'link', url: value },
          { type: 'card', header: { title: 'x', icon_url: value }, components: [] },
        ]),
      ),
      header: { title: 'x', icon_url: strings[0] },
    })
    await expectHarmless()
  }
})

test('a valid URI with another scheme is plain text in a rendered widget', async () => {
  await show(
    createPayload(
      ...['ftp://evil.test/x', 'mailto:a@evil.test', 'evil:x'].flatMap((url) => [
        { type: 'link', label: 'x', url },
        { type: 'text', label: 'x', value: 'x', icon_url: url },
        { type: 'text', label: 'x', value: 'x', icon_url: `${ICONS}ok.png` },
      ]),
    ),
  )
  await expectHarmless()
})

test('in the names, types and values of an invalid payload, they are shown as text', async () => {
  for (const strings of chunks(HOSTILE)) {
    await show({
      version: 1,
      header: { [strings[0] ?? '']: strings[1] },
      components: strings.flatMap((value) => [
        { type: value },
        { type: 'text', label: 1, value: 'x', [value]: value },
        { type: 'badge', label: 'x', items: [{ value: 'x', color: value }] },
        { type: 'date_time', label: 'x', value },
        { type: 'button', label: 'x', button_type: value, url: value },
      ]),
    })
    await expectHarmless()
  }
})

test('in a raw response, its headers and the inspector, they are text', async () => {
  const { page, open } = workspace
  for (const strings of chunks(HOSTILE).filter((_, index) => index % 3 === 0)) {
    const body = strings.join('\n')
    await show(
      new Response(body, {
        status: 500,
        headers: { 'content-type': 'text/html', 'x-evil': '<img src=x onerror=alert(1)>' },
      }),
    )
    const href = await page.getByRole('link', { name: 'Open in Requests' }).getAttribute('href')
    await open(href ?? '')
    await page.locator('.code_block_code-block').first().waitFor()
    await expectHarmless()
    await open('#/issues')
    await page.locator('.widget_widget').waitFor()
  }
})

test('in the editor and the preview of the playground, they are text', async () => {
  const { page, open } = workspace
  await open('#/playground')
  const editor = playgroundEditor(page)
  for (const strings of chunks(HOSTILE)) {
    const components = strings.map((value) => ({ type: 'text', label: value, value }))
    await editor.fill(JSON.stringify(createPayload(...components)))
    await expect.poll(() => page.locator('.widget_widget .clamp').count()).toBe(strings.length)
    await expectHarmless()
    await editor.fill(strings.join('\n'))
    await page.locator('#playground-verdict').getByText('1 problem').waitFor()
    await expectHarmless()
  }
  await open('#/issues')
})

test('in a message and its author, they do not run', async () => {
  const { emulator, page, open } = workspace
  const { documents } = emulator.snapshot()
  const issueId = emulator.issues.list()[0]?.id ?? ''
  const message = documents.find(({ kind, parent }) => kind === 'message' && parent === issueId)
  const others = documents.filter(({ kind, parent }) => kind !== 'message' || parent !== issueId)
  const hostile = HOSTILE.map((value, index) => ({
    kind: 'message',
    parent: issueId,
    id: `msg_${index}`,
    body: {
      ...(message?.body as Message),
      id: `msg_${index}`,
      message_html: value,
      file_urls: [value],
      author: { name: value, avatar_url: value },
    },
  }))
  const issues = others.map((document, index) =>
    document.kind === 'issue'
      ? { ...document, body: { ...(document.body as object), title: XSS[index % XSS.length] } }
      : document,
  )
  emulator.restore({ documents: [...issues, ...hostile] })
  await page.reload()
  await open(`#/issues/${issueId}`)
  await page
    .locator('.message_message')
    .nth(HOSTILE.length - 1)
    .waitFor()
  await expectHarmless()
  // Text inside a removed form or next to a clobbering name is still visible.
  expect(await page.locator('.message_html').getByText('inside', { exact: true }).count()).toBe(1)
})

test('as names of apps, widgets and headers, they are text', async () => {
  const { emulator, page, open } = workspace
  for (const name of XSS.filter((value) => value.length < 60 && value.trim() === value)
    .filter((_, index) => index % 12 === 0)
    .slice(0, 12)) {
    await emulator.apps
      .create({ name, widgets: [name], target: endpoint(() => createPayload()) })
      .catch(() => undefined)
  }
  await page.locator('.widget_widget').nth(3).waitFor()
  await expectHarmless()
  for (const view of ['#/states', '#/inspector', '#/issues']) {
    await open(view)
    await expectHarmless()
  }
})
