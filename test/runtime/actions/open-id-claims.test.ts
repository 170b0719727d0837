import { expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'
import { DENIED, PAGE, setUp, signIn } from '../../helpers/open-id-stub.ts'

const HD = { hd: 'acme.example' }

test.each<[object, object]>([
  [HD, { email: 'mallory@acme.example' }],
  [HD, { hd: 'evil.example' }],
  [HD, { hd: 'ACME.example' }],
  [HD, { hd: 'acme.example.evil.example' }],
  [HD, { hd: ['acme.example'] }],
  [HD, { hd: null }],
  [HD, { hd: true }],
  [{ hd: ['acme.example', 'acme.org'] }, { hd: 'acme.example,acme.org' }],
  [
    { ...HD, staff: true },
    { hd: 'acme.example', staff: 'true' },
  ],
  [{ level: 2 }, { level: '2' }],
  [{ constructor: 'x' }, {}],
])('with the required claims %j, an account with %j is denied', async (claims, sent) => {
  const { provider, browser, link, log, comeBack } = await setUp({ claims: claims as typeof HD })
  provider.claims = { ...sent }
  const page = await comeBack()
  expect(page).toMatchObject(DENIED)
  expect(page.html).toContain(messages.otherAccount)
  expect(log()).toMatch(/The claim (hd|staff|level|constructor) of the token (is missing|does not)/)
  expect(log()).not.toMatch(/acme\.|evil|mallory/)
  // The next attempt lets the agent choose a different account.
  const next = new URL(await browser.follow(link))
  expect(next.searchParams.get('prompt')).toBe('login')
})

test.each<[object, object, object?]>([
  [HD, { hd: 'acme.example' }],
  [{ hd: ['acme.org', 'acme.example'] }, { hd: 'acme.example' }],
  [
    { staff: true, level: 2 },
    { staff: true, level: 2 },
  ],
  [{ 'org.id': 'acme' }, { org: { id: 'acme' } }],
  [HD, {}, { hd: 'acme.example' }],
])('with the required claims %j, an account with %j signs in', async (claims, sent, userInfo) => {
  const { provider, enter } = await setUp({ claims: claims as typeof HD })
  provider.claims = { ...sent }
  provider.userInfo = userInfo && { ...userInfo }
  expect(await enter()).toMatchObject({ status: 200 })
})

test('the user info cannot replace a claim of the ID token', async () => {
  const { provider, enter } = await setUp({ claims: HD })
  provider.claims = { hd: 'evil.example', email: undefined }
  provider.userInfo = { hd: 'acme.example' }
  await expect(enter()).rejects.toThrow('status 403')
})

test('a new requirement ends the sessions of accounts that it was not checked for', async () => {
  const { provider, browser, link, app } = await setUp()
  await signIn(browser, provider, link)
  const other = await setUp({ claims: HD })
  const { pathname, search } = new URL(other.link)
  const headers = { cookie: browser.cookieHeader() }
  const path = pathname.replace('/sidebar', '') + search
  expect((await other.app.request(path, { headers })).status).toBe(303)
  expect(app.journal.runs).toEqual([])
})

test('after a sign-out, Google asks for the account, because it does not know prompt=login', async () => {
  const issuer = 'https://accounts.google.com'
  const metadata = { issuer, authorization_endpoint: `${issuer}/o/oauth2/v2/auth` }
  const fetch = () => Promise.resolve(Response.json(metadata))
  const { browser, link } = await setUp({ issuer, fetch, claims: HD })
  await browser.post(`${PAGE}?sign-out`)
  const location = new URL(await browser.follow(link))
  expect(location.searchParams.get('prompt')).toBe('select_account')
})

test.each([
  ['in the ID token', { email_verified: false }, undefined],
  ['as a text', { email_verified: 'false' }, undefined],
  ['in a different case', { email_verified: 'False' }, undefined],
  ['as a number', { email_verified: 1 }, undefined],
  ['by leaving the claim out', { email_verified: undefined }, undefined],
  [
    'in the user info',
    { email: undefined, email_verified: true },
    { email: 'robin@acme.example', email_verified: false },
  ],
])('an address that is not verified is left out: %s', async (_name, claims, userInfo) => {
  const { provider, enter } = await setUp()
  Object.assign(provider, { claims, userInfo })
  const page = await enter()
  expect(page.html).toContain('Signed in as user-7')
  expect(page.html).not.toContain('robin@acme.example')
})
