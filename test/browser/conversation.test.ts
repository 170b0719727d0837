import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectVisible } from './helpers/expect-visible.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

let workspace: Workspace

beforeEach(async () => {
  workspace = await openWorkspace()
  await workspace.page.locator('.message_message').first().waitFor()
})
afterEach(() => workspace[Symbol.asyncDispose]())

/** Replaces the HTML of the newest issue's first message. */
async function write(html: string): Promise<void> {
  const { emulator, page } = workspace
  const issueId = emulator.issues.list()[0]?.id
  const { documents } = emulator.snapshot()
  const first = documents.find(({ kind, parent }) => kind === 'message' && parent === issueId)
  emulator.restore({
    documents: documents.map((document) =>
      document === first
        ? { ...document, body: { ...(document.body as object), message_html: html } }
        : document,
    ),
  })
  await page.reload()
  await page.locator('.message_message').first().waitFor()
}

test('the list shows every issue, and the search covers all fields', async () => {
  const { page, emulator } = workspace
  const issues = emulator.issues.list()
  expect(await page.locator('.list_item').count()).toBe(issues.length)
  const wanted = issues[2]
  await page.getByLabel('Search issues').fill(`${wanted?.requester.email}`)
  expect(await page.locator('.issue_list_issue-title').first().textContent()).toBe(wanted?.title)
  await page.getByLabel('Search issues').fill('no issue says this')
  await page.getByText('No matching issues').waitFor()
})

test('a message is shown with its structure and safe links, and pictures are named but not loaded', async () => {
  await write(
    '<h1>Hi</h1><p onclick="x()" style="color:red" class="x">a <b>bold</b> <a href="https://example.com/a" onclick="x()">link</a> <a href="javascript:alert(1)">bad</a></p><ul><li>one</li></ul><img src="https://evil.test/p.gif" alt="signature">',
  )
  const message = workspace.page.locator('.message_html').first()
  expect(await message.locator('b').innerText()).toBe('bold')
  expect(await message.locator('li').innerText()).toBe('one')
  const link = message.getByRole('link', { name: 'link' })
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(await message.locator('a').count()).toBe(1)
  expect(await message.getByText('Image not loaded: signature').count()).toBe(1)
  const attributes = await message
    .locator('p')
    .last()
    .evaluate((p) => p.getAttributeNames())
  expect(attributes).toEqual([])
  expect(workspace.violations).toEqual([])
})

test('private notes are labeled', async () => {
  const { page, emulator } = workspace
  const issue = emulator.issues
    .list()
    .map(({ id }) => emulator.issues.get(id))
    .find(({ messages }) => messages.some((message) => message.is_private))
  await workspace.open(`#/issues/${issue?.id}`)
  await expectVisible(page.locator('.message_private').getByText('Private note').first())
})

test('a redaction by another client is shown immediately', async () => {
  const { page, emulator } = workspace
  const issue = emulator.issues.get(emulator.issues.list()[0]?.id ?? '')
  await emulator.fetch(
    `${emulator.url}/issues/${issue.id}/messages/${issue.messages[0]?.id}/redact`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${emulator.accessToken}` },
    },
  )
  await expectVisible(page.getByText('This message was redacted.'))
})

test('a restored snapshot is shown immediately', async () => {
  const { emulator, page } = workspace
  const { documents } = emulator.snapshot()
  const title = emulator.issues.list()[0]?.title ?? ''
  const renamed = JSON.stringify(documents).replaceAll(JSON.stringify(title), '"Restored"')
  emulator.restore({ documents: JSON.parse(renamed) as typeof documents })
  await expectVisible(page.getByRole('heading', { name: 'Restored' }))
  emulator.reset()
  await expectVisible(page.getByRole('heading', { name: title }))
})

test('an unknown issue shows a message and a link to another one', async () => {
  await workspace.open('#/issues/iss_none')
  const { page } = workspace
  await expectVisible(page.getByRole('heading', { name: 'Issue not found' }))
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByRole('link', { name: 'Open the newest issue' }).click()
  await expectVisible(page.locator('.message_message').first())
  await workspace.open('#/issues/iss_none')
  await expectVisible(page.getByRole('heading', { name: 'Issue not found' }))
  await workspace.open('#/issues/')
  await expectVisible(page.locator('.message_message').first())
})
