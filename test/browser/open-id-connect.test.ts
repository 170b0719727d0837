import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { noAuth, sidecard } from 'sidecard'
import { actions, memoryReceipts, openIdConnect } from 'sidecard/actions'
import { serve } from 'sidecard/node'
import { expect, onTestFinished, test } from 'vitest'
import { createExtendTrial, readLinks, SECRET } from '../helpers/actions.ts'
import { collectOutput } from '../helpers/collect-output.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { connectBrowser } from './helpers/browser.ts'

const PROGRAM = fileURLToPath(new URL('helpers/open-id-provider-program.ts', import.meta.url))

/** Starts a provider in another process. */
async function startProvider(redirectUri: string): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, redirectUri], { stdio: 'pipe' })
  onTestFinished(() => void child.stdin.end())
  const [url] = await collectOutput(child).until(/^http:\S+$/m)
  return url
}

async function setUp() {
  const port = await findFreePort()
  const base = `http://127.0.0.1:${port}`
  const issuer = await startProvider(`${base}/actions`)
  const allow = (ctx: any) => ctx.agent.groups.join() === 'leads'
  const extendTrial = createExtendTrial({ authorize: allow })
  const app = sidecard({
    name: 'billing',
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [extendTrial.button({ accountId: 'acme' })],
    actions: actions({
      list: [extendTrial],
      publicUrl: base,
      secret: SECRET,
      signIn: openIdConnect({
        issuer,
        clientId: 'sidecard',
        clientSecret: { binding: 'OIDC_CLIENT_SECRET' },
        groups: ['leads'],
      }),
      receipts: memoryReceipts(),
    }),
  })
  const env = { OIDC_CLIENT_SECRET: 's3cret' }
  const server = await serve(app, { port, handleSignals: false, env })
  onTestFinished(() => server.close())
  const browser = await connectBrowser()
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const createLink = async () => (await readLinks(app, undefined, env))[0]!
  return { extendTrial, context, createLink, base }
}

/** Fills in the pages of the provider. */
async function signIn(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

async function consent(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

test('an agent signs in, confirms, signs out, and is asked again', async () => {
  const { extendTrial, context, createLink, base } = await setUp()
  const link = await createLink()
  const page = await open(context, link)
  await signIn(page, 'robin')
  await consent(page)
  await page.getByText('Signed in as robin@acme.example').waitFor()
  expect(page.url()).toBe(link)
  await page.getByLabel('Days').fill('5')
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(extendTrial.journal.runs).toMatchObject([
    { values: { days: 5 }, agent: { id: 'robin', name: 'robin', groups: ['leads'] } },
  ])
  // Another link needs no sign-in.
  await page.goto(await createLink())
  await page.getByRole('button', { name: 'Extend trial' }).waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  expect(page.url()).toBe(`${base}/actions?signed-out`)
  // The provider still knows the agent, and asks anyway.
  await page.goto(await createLink())
  await signIn(page, 'kim')
  await consent(page)
  await page.getByText('Signed in as kim@acme.example').waitFor()
})

test('a sign-in that expires at the confirmation loses nothing', async () => {
  const { extendTrial, context, createLink } = await setUp()
  const page = await open(context, await createLink())
  await signIn(page, 'robin')
  await consent(page)
  await page.getByLabel('Days').fill('9')
  await page.getByLabel('Reason').fill('They evaluate it\nwith two more teams.')
  // Neither the app nor the provider knows the agent any more.
  await context.clearCookies()
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByText('Your sign-in has expired. Nothing was done.').waitFor()
  expect(extendTrial.journal.runs).toEqual([])
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Sign in' }).click()
  const tab = await opening
  await signIn(tab, 'robin')
  await consent(tab)
  await tab.getByText('Signed in as robin@acme.example').waitFor()
  await tab.close()
  await page.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  expect(extendTrial.journal.runs).toMatchObject([
    { values: { days: 9, reason: 'They evaluate it\nwith two more teams.' } },
  ])
})

test('two tabs that begin together both come back to their links', async () => {
  const { context, createLink } = await setUp()
  const links = [await createLink(), await createLink()]
  const [first, second] = await Promise.all(links.map((link) => open(context, link)))
  await signIn(first!, 'robin')
  await consent(first!)
  await first!.getByText('Signed in as robin@acme.example').waitFor()
  await signIn(second!, 'robin')
  await second!.getByText('Signed in as robin@acme.example').waitFor()
  expect([first!.url(), second!.url()]).toEqual(links)
  const own = (await context.cookies(links)).filter(({ name }) => name.startsWith('__Host-'))
  expect(own).toHaveLength(1)
  expect(own[0]).toMatchObject({
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'Lax',
  })
})
