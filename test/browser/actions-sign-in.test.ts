import { secretHeader, sidecard } from 'sidecard'
import { actions, memoryReceipts, trustedHeader } from 'sidecard/actions'
import { serve } from 'sidecard/node'
import { expect, onTestFinished, test } from 'vitest'
import { createExtendTrial, SECRET } from '../helpers/actions.ts'
import { startSignInProxy } from '../helpers/sign-in-proxy.ts'
import { connectBrowser } from './helpers/browser.ts'

async function startBehindProxy() {
  let upstream = ''
  const proxy = await startSignInProxy(() => upstream)
  const extendTrial = createExtendTrial()
  const app = sidecard({
    name: 'billing',
    header: { title: 'Billing' },
    auth: secretHeader('x-sidecard-secret', 's3cret'),
    logger: false,
    fetchData: () => [extendTrial.button({ accountId: 'acme' })],
    actions: actions({
      list: [extendTrial],
      publicUrl: `${proxy.url}/sidebar/`,
      secret: SECRET,
      signIn: trustedHeader('x-auth-request-email', { signInOrigins: [proxy.providerUrl] }),
      receipts: memoryReceipts(),
    }),
  })
  const server = await serve(app, { port: 0, handleSignals: false, env: {} })
  upstream = server.url
  onTestFinished(() => server.close())
  const query = '?request_type=fetch_data&account_id=acme'
  const openSidebar = (headers: Record<string, string>) =>
    fetch(`${proxy.url}/sidebar${query}`, { headers })
  const readLink = async () => {
    const { components } = await (await openSidebar({ 'x-sidecard-secret': 's3cret' })).json()
    return components[0].url as string
  }
  return { proxy, server, extendTrial, openSidebar, readLink }
}

test('a proxy signs agents in for the page, and the service’s path stays open to the secret', async () => {
  const { proxy, extendTrial, openSidebar, readLink } = await startBehindProxy()
  expect((await openSidebar({})).status).toBe(401)
  const link = await readLink()
  expect(link.startsWith(`${proxy.url}/sidebar/actions?t=`)).toBe(true)
  const forged = await fetch(link, {
    headers: { 'x-auth-request-email': 'ceo@acme.example' },
    redirect: 'manual',
  })
  expect(forged.status).toBe(302)

  const browser = await connectBrowser()
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('link', { name: 'Continue' }).click()
  // The sign-in came back without the link, which is only in the sidebar.
  await page.getByRole('heading', { name: 'Open this page from the sidebar' }).waitFor()
  await page.goto(link)
  await page.getByText('Signed in as robin@acme.example').waitFor()
  await page.getByLabel('Days').fill('5')
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(page.url()).toBe(`${proxy.url}/sidebar/actions`)
  expect(extendTrial.journal.runs).toMatchObject([
    { values: { days: 5 }, agent: { email: 'robin@acme.example' } },
  ])
})

test('a sign-in that expired between the page and the confirmation does nothing', async () => {
  const { proxy, extendTrial, readLink } = await startBehindProxy()
  const browser = await connectBrowser()
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await context.addCookies([{ name: 'agent', value: 'robin@acme.example', url: proxy.url }])
  const page = await context.newPage()
  const link = await readLink()
  await page.goto(link)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Extend trial' }).click()
  // The Content-Security-Policy allows the redirect of the form to the sign-in.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByText('If your sign-in had just expired, nothing was done.').waitFor()
  expect(extendTrial.journal.runs).toEqual([])
  await page.goto(link)
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(extendTrial.journal.runs).toHaveLength(1)
})
