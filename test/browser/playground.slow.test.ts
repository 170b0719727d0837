import { createEmulator } from 'sidecard/emulator'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { playgroundEditor } from './helpers/playground.ts'
import type { PlaygroundEditor } from './helpers/playground.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

let workspace: Workspace
let editor: PlaygroundEditor

beforeEach(async () => {
  workspace = await openWorkspace({
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  await workspace.open('#/playground')
  await workspace.page.getByLabel('Payload as JSON').waitFor()
  editor = playgroundEditor(workspace.page)
})
afterEach(() => closeWorkspace(workspace))

const clipboard = () => workspace.page.evaluate(() => navigator.clipboard.readText())

const payload = (...components: readonly unknown[]) =>
  JSON.stringify({ version: '1.0.0', header: { title: 'Test' }, components }, null, 2)

const MINIMAL = payload({ type: 'text', label: 'Plan', value: 'Team' })

/** Returns the selected text of the editor. */
const selection = () =>
  workspace.page
    .getByLabel('Payload as JSON')
    .evaluate(({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) =>
      value.slice(selectionStart, selectionEnd),
    )

test('colors property names and strings, exactly above the text of the field', async () => {
  const { page } = workspace
  const colors = await page
    .locator('.playground_layer span')
    .evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color))
  expect(new Set(colors).size).toBeGreaterThanOrEqual(2)
  const long = payload({ type: 'text', label: 'Plan', value: 'Team '.repeat(80) })
  await editor.fill(long)
  await expect.poll(() => page.locator('.playground_layer').textContent()).toBe(long)
  const styleOf = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { font, letterSpacing, paddingLeft, paddingTop, tabSize, whiteSpace } =
        getComputedStyle(element)
      return { font, letterSpacing, paddingLeft, paddingTop, tabSize, whiteSpace }
    })
  expect(await styleOf('.playground_layer')).toEqual(await styleOf('.playground_field'))
  await editor.placeCursorAfter('Team Team')
  await page.locator('.playground_field').evaluate((element) => element.scrollTo(100, 0))
  const transform = () =>
    page.locator('.playground_layer').evaluate((element) => getComputedStyle(element).transform)
  await expect.poll(transform).toContain('-100, 0')
})

test('a new line has the indent of the one before, and Undo removes it', async () => {
  const { page } = workspace
  await editor.fill('{\n  "version": "1.0.0",')
  await page.keyboard.press('Enter')
  expect(await editor.text()).toBe('{\n  "version": "1.0.0",\n  ')
  await page.keyboard.press('Control+z')
  expect(await editor.text()).toBe('{\n  "version": "1.0.0",')
})

test('formatting can be undone, and a draft survives a change of view and a reload', async () => {
  const { page, open } = workspace
  const text = JSON.stringify(JSON.parse(MINIMAL))
  await editor.fill(text)
  await page.locator('.widget_row-label').getByText('Plan').waitFor()
  await page.getByRole('button', { name: 'Format', exact: true }).click()
  await expect.poll(editor.text).toBe(MINIMAL)
  await page.keyboard.press('Control+z')
  await expect.poll(editor.text).toBe(text)
  await open('#/api')
  await page.getByRole('heading', { name: 'API and tasks' }).waitFor()
  await open('#/playground')
  await expect.poll(editor.text).toBe(text)
  await page.reload()
  await expect.poll(editor.text).toBe(text)
})

test('a tab keeps its own draft, and a new tab starts with the last one', async () => {
  const { page } = workspace
  await editor.fill(MINIMAL)
  await page.locator('.widget_header').getByText('Test').waitFor()
  const open = async () => {
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    return tab
  }
  const second = await open()
  await second.locator('.widget_header').getByText('Test').waitFor()
  await second.getByLabel('Start from an example').selectOption({ label: 'Every component' })
  await second.locator('.widget_header').getByText('Every component').waitFor()
  const third = await open()
  await third.locator('.widget_header').getByText('Every component').waitFor()
  await page.reload()
  await page.locator('.widget_header').getByText('Test').waitFor()
  expect(await editor.text()).toBe(MINIMAL)
})

test('a draft survives a restart of the emulator', async () => {
  const { page, emulator } = workspace
  await editor.fill(MINIMAL)
  await page.locator('.widget_row-label').getByText('Plan').waitFor()
  const port = Number(new URL(emulator.url).port)
  await emulator.close()
  await using restarted = createEmulator()
  await restarted.listen({ port })
  await page.reload()
  await page.locator('.widget_row-label').getByText('Plan').waitFor()
  expect(await editor.text()).toBe(MINIMAL)
})

test('an example replaces a draft, and Restore restores it', async () => {
  const { page } = workspace
  await editor.fill(MINIMAL)
  await page.locator('.widget_header').getByText('Test').waitFor()
  await page.getByLabel('Start from an example').selectOption({ label: 'A customer' })
  await page.locator('.widget_header').getByText('Billing').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.locator('.widget_header').getByText('Test').waitFor()
  expect(await editor.text()).toBe(MINIMAL)
  expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
})

test('shows the line and column of each problem, marks it, and selects it when chosen', async () => {
  const { page } = workspace
  await editor.fill(
    '{\n  "version": "1.0.0",\n  "header": {},\n  "components": [\n    { "type": "text", "label": "x", "value": 24 }\n  ]\n}',
  )
  const problem = page.locator('.playground_problem').first()
  await problem.waitFor()
  expect(await problem.locator('.playground_problem-line').innerText()).toContain('5:37')
  const mark = await page.locator('.playground_numbers > span').first().boundingBox()
  const numbers = await page.locator('.playground_numbers').boundingBox()
  const fifthLine = (numbers?.y ?? 0) + 12 + 4 * 20
  expect(mark?.y).toBeGreaterThan(fifthLine)
  expect(mark?.y).toBeLessThan(fifthLine + 20)
  await problem.click()
  expect(await selection()).toBe('"value": 24')
})

test('a problem far down is scrolled into view when it is chosen', async () => {
  const { page } = workspace
  const rows = Array.from({ length: 60 }, () => ({ type: 'text', label: 'x', value: 'x' }))
  await editor.fill(payload(...rows, { type: 'text', label: 'x', value: 24 }))
  await page.locator('.playground_problem').first().click()
  expect(await selection()).toBe('"value": 24')
  const field = page.getByLabel('Payload as JSON')
  const isVisible = () =>
    field.evaluate(({ value, selectionStart, scrollTop, clientHeight }: HTMLTextAreaElement) => {
      const top = value.slice(0, selectionStart).split('\n').length * 20
      return top > scrollTop && top < scrollTop + clientHeight
    })
  await expect.poll(isVisible).toBe(true)
  expect(await field.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(1_000)
})

test('inserts each component after the one at the cursor, in one undo step', async () => {
  const { page } = workspace
  await editor.fill(MINIMAL)
  await editor.placeCursorAfter('"Plan"')
  const types = ['card', 'text', 'date_time', 'badge', 'button', 'link', 'divider']
  for (const type of types) {
    await page.getByRole('button', { name: 'Insert component' }).click()
    await page.getByRole('menuitem', { name: type, exact: true }).click()
  }
  await expect.poll(() => page.locator('#playground-verdict').innerText()).toMatch(/^Valid/)
  const { components } = JSON.parse(await editor.text()) as { components: { type: string }[] }
  expect(components.map(({ type }) => type)).toEqual(['text', ...types])
  await page.getByLabel('Payload as JSON').focus()
  await page.keyboard.press('Control+z')
  await expect.poll(editor.text).not.toContain('divider')
})

test('a click on a component selects its JSON, and the cursor marks it in the preview', async () => {
  const { page } = workspace
  await page.locator('.widget_badge').getByText('Invoice due').click()
  expect(await selection()).toContain('Invoice due')
  await page.locator('.widget_row[data-current]').getByText('Status').waitFor()
  await editor.placeCursorAfter('"Team, 24 seats"')
  await page.locator('.widget_row[data-current]').getByText('Plan').waitFor()
  await page.locator('.widget_button').click()
  expect(await selection()).toContain('Open in admin')
})

test('a link opens its payload, and the old draft can be restored', async () => {
  const { page, open } = workspace
  await editor.fill(MINIMAL)
  await page.locator('.widget_row-label').getByText('Plan').waitFor()
  // `{"version":"1.0.0","header":{},"components":[]}`
  await open(
    '#/playground?payload=q1YqSy0qzszPU7JSMtQz0DNQ0lHKSE1MSS1Ssqqu1VFKzs8tyM9LzSspVrKKjq0FAA',
  )
  await page.getByText('Nothing to show').waitFor()
  expect(new URL(page.url()).hash).toBe('#/playground')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.locator('.widget_row-label').getByText('Plan').waitFor()
})

test('offers no link to this machine', async () => {
  await expectVisible(workspace.page.getByRole('button', { name: 'Copy JSON' }))
  expect(await workspace.page.getByRole('button', { name: 'Copy link' }).count()).toBe(0)
})

test('a link that decompresses to more than 1 MiB, or is damaged, changes nothing', async () => {
  const { page, open } = workspace
  const bomb = await page.evaluate(async () => {
    const stream = new Blob(['x'.repeat(50_000_000)])
      .stream()
      .pipeThrough(new CompressionStream('deflate-raw'))
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
    let binary = ''
    for (const byte of bytes) binary += String.fromCharCode(byte)
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  })
  const before = await editor.text()
  await open(`#/playground?payload=${bomb}`)
  await page.getByText('larger than 1 MiB').waitFor()
  await open('#/playground?payload=%25%25')
  await page.getByText('is damaged').waitFor()
  expect(await editor.text()).toBe(before)
})

test.each([1440, 1024])('its toolbar is one row in a window of %i pixels', async (width) => {
  const { page } = workspace
  await page.setViewportSize({ width, height: 800 })
  const toolbar = page.locator('.playground_toolbar')
  expect((await toolbar.boundingBox())!.height).toBeLessThan(60)
})

test('copies the JSON', async () => {
  const { page } = workspace
  await editor.fill(MINIMAL)
  await page.getByRole('button', { name: 'Copy JSON' }).click()
  await expect.poll(clipboard).toBe(MINIMAL)
})

test('typing takes less than 50 ms per key in a payload of 1 MiB', async () => {
  const { page } = workspace
  const rows = Array.from({ length: 9_800 }, (_, index) => ({
    type: 'text',
    label: `Label ${index}`,
    value: 'A value of some length that repeats itself',
  }))
  const text = payload(...rows).slice(0, 1_040_000)
  await editor.fill(text)
  await expectVisible(page.locator('#playground-verdict').getByText('to fix'))
  await page.keyboard.press('Control+Home')
  const timings = await page.evaluate(() => {
    const seen: number[] = []
    ;(globalThis as unknown as { timings: number[] }).timings = seen
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        requestAnimationFrame(() => setTimeout(() => seen.push(performance.now() - timeStamp)))
      },
      true,
    )
    return seen
  })
  expect(timings).toEqual([])
  for (let key = 0; key < 30; key += 1) await page.keyboard.press('x', { delay: 20 })
  await expect
    .poll(() =>
      page.evaluate(() => (globalThis as unknown as { timings: number[] }).timings.length),
    )
    .toBe(30)
  const measured = await page.evaluate(
    () => (globalThis as unknown as { timings: number[] }).timings,
  )
  const sorted = measured.toSorted((a, b) => a - b)
  // Validated on the same thread, a key would take over a second.
  expect(sorted[15]).toBeLessThan(250)
})

test('a payload over 1 MiB is reported, and the page stays usable', async () => {
  const { page } = workspace
  const rows = Array.from({ length: 55_000 }, (_, index) => ({
    type: 'text',
    label: `Label ${index}`,
    value: 'A value of some length that repeats itself',
  }))
  await editor.fill(JSON.stringify({ version: '1.0.0', header: {}, components: rows }))
  await page.getByText('responses are read up to 1 MiB').waitFor({ timeout: 10_000 })
  await editor.fill(MINIMAL)
  await expectVisible(page.locator('.widget_row-label').getByText('Plan'))
})

test('a text that does not fit into the storage does not remove the last draft that did', async () => {
  const { page } = workspace
  await editor.fill(MINIMAL)
  await page.locator('.widget_row-label').getByText('Plan').waitFor()
  await editor.fill(JSON.stringify('z'.repeat(6_000_000)))
  await page.locator('.toast_notice').getByText('does not fit').waitFor({ timeout: 10_000 })
  await page.reload()
  await page.getByLabel('Payload as JSON').waitFor()
  await expect.poll(() => editor.text()).toBe(MINIMAL)
})
