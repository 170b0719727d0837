import type { Browser } from 'playwright-core'
import { ActionError } from 'sidecard/actions'
import { beforeAll, expect, test } from 'vitest'
import { openActionPage } from './helpers/action-page.ts'
import { STATES } from './helpers/action-server.ts'
import { connectBrowser } from './helpers/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})

async function openForm() {
  const { page, server } = await openActionPage(browser, { javaScriptEnabled: false })
  await page.goto(await server.createRefundLink())
  await page.getByLabel('Amount').fill('10,50')
  await page.getByLabel('Reason').fill('The parcel was late.')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  return { page, server, button, heading: (name: string) => page.getByRole('heading', { name }) }
}

test('three times Enter in a form runs nothing, and shows what would happen', async () => {
  const { page, server } = await openForm()
  for (const _time of [1, 2, 3]) {
    // oxlint-disable-next-line no-await-in-loop -- one key after another
    await page.keyboard.press('Enter')
    // oxlint-disable-next-line no-await-in-loop -- the page that the key has opened
    await page.getByText('Refund €10.50 to Acme Industries').waitFor()
  }
  expect(await page.getByText('The parcel was late.').count()).toBe(1)
  expect(server.countRuns()).toBe(0)
})

test('the button of the review runs what it says, once, and a reload shows the receipt', async () => {
  const { page, server, button, heading } = await openForm()
  await button('Review').click()
  await button('Refund').click()
  await heading('Done').waitFor()
  await page.reload()
  await heading('Done').waitFor()
  expect(server.countRuns()).toBe(1)
})

test('no second click of a double click confirms', async () => {
  const { page, server, button } = await openForm()
  const first = (await button('Review').boundingBox())!
  await button('Review').dblclick()
  await page.getByText('Refund €10.50 to Acme Industries').waitFor()
  expect(server.countRuns()).toBe(0)
  // Nothing that runs the action is where the pointer is.
  const confirm = (await button('Refund').boundingBox())!
  const centerX = first.x + first.width / 2
  const centerY = first.y + first.height / 2
  const isAtPointer =
    centerX >= confirm.x &&
    centerX <= confirm.x + confirm.width &&
    centerY >= confirm.y &&
    centerY <= confirm.y + confirm.height
  expect(isAtPointer).toBe(false)
  await button('Refund').dblclick()
  await page.getByRole('heading', { name: /done/i }).waitFor()
  expect(server.countRuns()).toBe(1)
})

test('Change shows the form with everything that was typed', async () => {
  const { page, server, button } = await openForm()
  await button('Review').click()
  await button('Change').click()
  expect(await page.getByLabel('Amount').inputValue()).toBe('10,50')
  expect(await page.getByLabel('Reason').inputValue()).toBe('The parcel was late.')
  expect(server.countRuns()).toBe(0)
})

test('the review has no focus, and its controls are read in order', async () => {
  const { page, server } = await openActionPage(browser)
  await STATES['review']!(page, server)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  const tree = await page.locator('main').ariaSnapshot()
  const order = ['Refund €10.50', 'Amount (EUR)', '€10.50', 'Reason', 'Change', 'button "Refund"']
  let rest = tree
  for (const text of order) {
    expect(rest).toContain(text)
    rest = rest.slice(rest.indexOf(text) + text.length)
  }
})

test('an ActionError and an expired sign-in keep what was typed, at both steps', async () => {
  const { page, server, button } = await openForm()
  const agent = server.world.agent
  server.world.agent = undefined
  await button('Review').click()
  await page.getByText('10,50').waitFor()
  server.world.agent = agent
  await button('Refund').click()
  await page.getByText('Refund €10.50 to Acme Industries').waitFor()
  server.world.agent = undefined
  await button('Refund').click()
  await page.getByText('10,50').waitFor()
  expect(server.countRuns()).toBe(0)
  server.world.agent = agent
  server.world.run = () => Promise.reject(new ActionError('The card was closed.'))
  await button('Refund').click()
  await button('Refund').click()
  await page.getByText('The card was closed.').waitFor()
  expect(await page.getByLabel('Amount').inputValue()).toBe('10,50')
  expect(await page.getByLabel('Reason').inputValue()).toBe('The parcel was late.')
})
