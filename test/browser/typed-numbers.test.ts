import type { Browser, Page } from 'playwright-core'
import { moneyField, numberField } from 'sidecard/actions'
import { serve } from 'sidecard/node'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createActionApp, createExtendTrial, type Journal, readLinks } from '../helpers/actions.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { connectBrowser } from './helpers/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})

/** Opens the form of an action with an amount and a number. */
async function openForm() {
  const port = await findFreePort()
  const journal: Journal = { runs: [] }
  const form = {
    amount: moneyField({ label: 'Amount', currency: 'EUR', min: 1, value: 1_050 }),
    hours: numberField({ label: 'Hours', step: 0.25, value: 1 }),
  }
  const action = createExtendTrial({ form }, journal)
  const app = createActionApp(action, { publicUrl: `http://127.0.0.1:${port}` })
  const server = await serve(app, { port, handleSignals: false, env: {} })
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  onTestFinished(async () => {
    await context.close()
    await server.close()
  })
  const page = await context.newPage()
  const open = async () => page.goto((await readLinks(app))[0]!)
  await open()
  return { page, open, journal }
}

/** Replaces the text of a field, key by key. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

test('an agent can type an amount and a number in the notation of any country', async () => {
  const { page, open, journal } = await openForm()
  const typed: ReadonlyArray<readonly [string, number]> = [
    ['10,50', 1_050],
    ['10.50', 1_050],
    ['10,5', 1_050],
    ['1.234,56', 123_456],
    ['1 000', 100_000],
    ['10,50 €', 1_050],
  ]
  for (const [text] of typed) {
    // oxlint-disable no-await-in-loop -- one form after the other
    await open()
    await type(page, 'Hours', '0,75')
    await type(page, 'Amount', text)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
    // oxlint-enable no-await-in-loop
  }
  expect(journal.runs.map(({ values }) => values)).toEqual(
    typed.map(([, amount]) => ({ amount, hours: 0.75 })),
  )
})

test('the form keeps an ambiguous amount, and shows both readings next to it', async () => {
  const { page, journal } = await openForm()
  await type(page, 'Amount', '1.234')
  await page.keyboard.press('Enter')
  await page.getByText('1.234 can mean 1,234.00 or 1.234.').waitFor()
  const amount = page.getByLabel('Amount')
  expect(await amount.inputValue()).toBe('1.234')
  expect(await amount.getAttribute('aria-invalid')).toBe('true')
  expect(journal.runs).toEqual([])
})

test('the mouse wheel and the arrow keys change no amount and no number', async () => {
  const { page } = await openForm()
  for (const [label, value] of [
    ['Amount', '10.50'],
    ['Hours', '1'],
  ] as const) {
    const field = page.getByLabel(label)
    // oxlint-disable no-await-in-loop -- one field after the other
    await field.click()
    await page.mouse.wheel(0, -240)
    await page.mouse.wheel(0, 360)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await field.inputValue()).toBe(value)
    // oxlint-enable no-await-in-loop
  }
})
