import { AxeBuilder } from '@axe-core/playwright'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { AGENT } from '../helpers/actions.ts'
import { openActionPage } from './helpers/action-page.ts'
import { fill, STATES } from './helpers/action-server.ts'
import { connectBrowser } from './helpers/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})

test('it works without JavaScript', async () => {
  const { page, server } = await openActionPage(browser, { javaScriptEnabled: false })
  await page.goto(await server.createLink())
  await fill(page)
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await page.getByText('2026-12-22 09:00 UTC').count()).toBe(1)
  expect(server.countRuns()).toBe(1)
})

test('it works with the keyboard only', async () => {
  const { page, server } = await openActionPage(browser)
  await page.goto(await server.createLink())
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Open in admin')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('3')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Bus')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Keyboard only')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await page.getByText('2026-12-04 09:00 UTC').count()).toBe(1)
})

test('a reload, the back button and the link show the same receipt', async () => {
  const { page, server } = await openActionPage(browser)
  const link = await server.createLink()
  await page.goto(link)
  await fill(page)
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
  const readReceipt = async () => {
    const text = await page.locator('main').innerText()
    // Only the time that has passed since then differs.
    return text.replace(/: [^:(]+ \(/, ': (')
  }
  const receipt = await readReceipt()
  expect(receipt).toContain('Extend by 21 days, plan business')
  expect(receipt).toContain('Confirmed by robin@acme.example')
  const again = [() => page.reload(), () => page.goBack(), () => page.goto(link)]
  for (const open of again) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await open()
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await readReceipt()).toBe(receipt)
  }
  expect(server.countRuns()).toBe(1)
})

test('Back after field errors shows the form again, and it can be sent', async () => {
  const { page, server } = await openActionPage(browser)
  await STATES['field errors']!(page, server)
  await page.getByRole('alert').waitFor()
  await page.goBack()
  // Browsers restore a choice, but no text, because text fields have autocomplete="off".
  expect(await page.getByLabel('Days').inputValue()).toBe('14')
  expect(await page.getByLabel('Plan').inputValue()).toBe('business')
  expect(await page.getByLabel('Reason').inputValue()).toBe('')
  await page.getByLabel('Days').fill('21')
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
  const readReceipt = async () => {
    const text = await page.locator('main').innerText()
    // Only the time that has passed since then differs.
    return text.replace(/: [^:(]+ \(/, ': (')
  }
  const receipt = await readReceipt()
  await page.goBack()
  expect(await readReceipt()).toBe(receipt)
  expect(server.countRuns()).toBe(1)
})

test('Back after a rejection shows the form again, and it can be sent', async () => {
  const { page, server } = await openActionPage(browser)
  await STATES['not done']!(page, server)
  await page.getByText('The trial was already extended twice.').waitFor()
  await page.goBack()
  server.world.run = () => undefined
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
  expect(server.countRuns()).toBe(2)
})

test.each([20, 150, 600])('two clicks %d ms apart show the one result', async (pauseMs) => {
  const { page, server } = await openActionPage(browser)
  server.world.run = () => new Promise((resolve) => setTimeout(resolve, 2_000))
  await page.goto(await server.createLink())
  await fill(page)
  const box = (await page.getByRole('button', { name: 'Extend trial' }).boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  // A double click of Playwright would wait for the navigation.
  for (const delay of [0, pauseMs]) {
    // oxlint-disable-next-line no-await-in-loop -- as a person clicks
    await new Promise((resolve) => setTimeout(resolve, delay))
    // oxlint-disable-next-line no-await-in-loop -- as above
    await page.mouse.move(x, y)
    // oxlint-disable-next-line no-await-in-loop -- as above
    await page.mouse.down()
    // oxlint-disable-next-line no-await-in-loop -- as above
    await page.mouse.up()
  }
  await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
  expect(await page.getByText('2026-12-22 09:00 UTC').count()).toBe(1)
  expect(await page.getByText('Trace ID').count()).toBe(1)
  expect(server.countRuns()).toBe(1)
})

test('a sign-in that expired keeps the form, and confirms after signing in', async () => {
  const { page, server } = await openActionPage(browser)
  await STATES['sign-in expired']!(page, server)
  expect(await page.getByRole('alert').textContent()).toContain('Your sign-in has expired')
  expect(await page.getByText('two more teams').count()).toBe(1)
  expect(page.url()).not.toContain('teams')
  server.world.agent = AGENT
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
  expect(server.countRuns()).toBe(1)
})

test('an invalid field is focused, named for a screen reader, and keeps what was typed', async () => {
  const { page, server } = await openActionPage(browser)
  await STATES['field errors']!(page, server)
  const days = page.getByLabel('Days')
  expect(await days.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await days.getAttribute('aria-invalid')).toBe('true')
  const described = await days.getAttribute('aria-describedby')
  expect(await page.locator(`#${described}`).textContent()).toBe('Enter a value from 1 to 30.')
  expect(await page.getByLabel('Reason').inputValue()).toContain('two more teams')
  expect(await page.getByRole('alert').textContent()).toContain('Nothing was done')
})

test('another site cannot send the form, frame the page or read its URL', async () => {
  const { page, server } = await openActionPage(browser)
  const link = await server.createLink()
  await page.goto(link)
  const fields = await page.evaluate(() =>
    Array.from(new FormData(document.querySelector('form')!), ([name, value]) => [
      name,
      value as string,
    ]),
  )
  await page.route('http://evil.test/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${link}"></iframe><form method="post" action="${server.url}/actions">${fields
        .map(
          ([name, value]) =>
            `<input name="${name}" value="${name === 'field-plan' ? 'team' : value}">`,
        )
        .join('')}<button>Go</button></form>`,
    }),
  )
  await page.goto('http://evil.test/')
  await expect.poll(() => page.frames().length).toBe(2)
  expect(await page.frames()[1]!.locator('h1').count()).toBe(0)
  await page.getByRole('button', { name: 'Go' }).click()
  await page.getByRole('heading', { name: 'Not allowed' }).waitFor()
  expect(server.countRuns()).toBe(0)
  let referrer: string | undefined = 'none yet'
  await page.context().route('https://admin.example.com/**', (route) => {
    referrer = route.request().headers()['referer']
    return route.fulfill({ body: 'admin' })
  })
  await page.goto(link)
  const [admin] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByText('Open in admin').click(),
  ])
  await admin.waitForLoadState()
  expect(referrer).toBeUndefined()
})

test('another site cannot read the page that it opens or fetches', async () => {
  const { page, server } = await openActionPage(browser)
  const link = await server.createLink()
  // Chromium blocks every request of a public site to this machine, so the other site is on it too.
  const evil = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<button onclick="opened = window.open('${link}')">Open</button>`)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void evil.close())
  await once(evil, 'listening')
  await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`)
  const readBy = (mode: RequestMode) =>
    page.evaluate(
      ([url, fetchMode]) =>
        fetch(url, { mode: fetchMode, credentials: 'include' })
          .then((response) => response.text())
          .catch((error: unknown) => String(error)),
      [link, mode] as const,
    )
  expect(await readBy('cors')).toContain('Failed to fetch')
  expect(await readBy('no-cors')).toBe('')
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByText('Open').click()])
  await tab.getByRole('heading', { name: 'Extend trial' }).waitFor()
  expect(await tab.evaluate(() => window.opener === null)).toBe(true)
  // The opener has lost the tab: it neither reads nor moves it.
  expect(await page.evaluate('opened.closed')).toBe(true)
  expect(server.countRuns()).toBe(0)
})

test('texts and direction follow the messages', async () => {
  const { page, server } = await openActionPage(browser, {}, { lang: 'he', signOut: 'יציאה' })
  await page.goto(await server.createLink())
  expect(await page.getAttribute('html', 'lang')).toBe('he')
  expect(
    await page.evaluate(() => getComputedStyle(document.querySelector('main')!).direction),
  ).toBe('rtl')
  expect(await page.getByRole('button', { name: 'יציאה' }).count()).toBe(1)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations).toEqual([])
})
