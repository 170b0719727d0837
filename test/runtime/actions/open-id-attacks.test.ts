import { memoryReceipts, openIdConnect } from 'sidecard/actions'
import { base64url, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createActionApp, createExtendTrial, PUBLIC_URL, readLinks } from '../../helpers/actions.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  createBrowser,
  createProvider,
  DENIED,
  ISSUER,
  PAGE,
  postPage,
  setUp,
  signIn,
} from '../../helpers/open-id-stub.ts'
import { now } from '../../helpers/signed-token.ts'

const signAs = async (alg: string, kid = 'k1') => {
  const { privateKey } = await generateKeyPair(alg)
  return (payload: object) =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg, kid }).sign(privateKey)
}
const encode = (value: object) => base64url.encode(JSON.stringify(value))
const secret = new TextEncoder().encode(CLIENT_SECRET.padEnd(32))

test.each<[string, object, ((payload: any) => Promise<string>)?]>([
  ['of a different client', { aud: 'another-app' }],
  ['of several clients', { aud: [CLIENT_ID, 'another-app'] }],
  ['of a different provider', { iss: 'https://id.example.com/other' }],
  ['with a different nonce', { nonce: 'x'.repeat(43) }],
  ['without a nonce', { nonce: undefined }],
  ['without an agent', { sub: undefined }],
  ['that has expired', { iat: now() - 400, exp: now() - 90 }],
  ['without an expiry', { exp: undefined }],
  ['from the future', { nbf: now() + 90 }],
  ['that was issued in the future', { iat: now() + 90 }],
  ['with a different key', {}, await signAs('RS256')],
  ['with an unknown key', {}, await signAs('RS256', 'k2')],
  ['with a different algorithm', {}, await signAs('RS384')],
  ['without a signature', {}, async (p) => `${encode({ alg: 'none' })}.${encode(p)}.`],
  [
    'that the secret of the client signs',
    {},
    (p) => new SignJWT(p).setProtectedHeader({ alg: 'HS256' }).sign(secret),
  ],
  ['that is no token', {}, async () => 'x'],
])('an ID token %s is denied', async (_name, claims, sign) => {
  const { provider, browser, link, comeBack, enter } = await setUp()
  const valid = provider.sign
  Object.assign(provider, { claims, sign: sign ?? valid })
  const page = await comeBack()
  expect(page).toMatchObject(DENIED)
  // There is no session, and the attempt is over. The agent can begin again.
  expect(browser.cookies).toEqual([])
  expect(page.html).toContain(`href="/sidebar/actions${new URL(link).search}"`)
  Object.assign(provider, { claims: {}, sign: valid })
  expect(await enter()).toMatchObject({ status: 200 })
})

test('a reply is accepted once, and only by the browser that began', async () => {
  const { provider, app, browser, link } = await setUp()
  const callback = provider.authorize(await browser.follow(link))
  const attacker = createBrowser({ [PUBLIC_URL]: app })
  const foreign = await attacker.open(callback)
  expect(foreign).toMatchObject(DENIED)
  expect(foreign.html).not.toContain('?t=')
  expect(provider.requests).not.toContain('/token')
  await browser.follow(callback)
  const count = provider.requests.length
  expect(await browser.open(callback)).toMatchObject(DENIED)
  expect(provider.requests).toHaveLength(count)
})

test('the code of another attempt is denied', async () => {
  const { provider, app, browser, link } = await setUp()
  // An attacker puts the own code into the reply that the victim's browser expects.
  const attacker = createBrowser({ [PUBLIC_URL]: app })
  const stolen = new URL(provider.authorize(await attacker.follow(link)))
  const callback = new URL(provider.authorize(await browser.follow(link)))
  callback.searchParams.set('code', stolen.searchParams.get('code')!)
  expect(await browser.open(callback.href)).toMatchObject(DENIED)
  expect(browser.cookies).toEqual([])
})

test.each([
  ['an error', { error: 'access_denied' }],
  ['the name of a different provider', { iss: 'https://evil.example' }],
  ['a different state', { state: 'm0000000.AAAAAAAAAAAAAAAAAAAAAA' }],
  ['an empty state', { state: '' }],
  ['the name of a property', { state: '__proto__' }],
])('a reply with %s is denied', async (_name, reply) => {
  const { provider, comeBack } = await setUp()
  expect(await comeBack(reply)).toMatchObject(DENIED)
  expect(provider.requests).not.toContain('/token')
})

test('a reply that comes too late is denied', async () => {
  const { provider, browser, link } = await setUp()
  const callback = provider.authorize(await browser.follow(link))
  browser.use({ settings: { now: () => Date.now() + 601_000 } })
  expect(await browser.open(callback)).toMatchObject(DENIED)
})

test('a sign-in leads to a link of this page only', async () => {
  const { provider, browser, link } = await setUp()
  for (const target of ['https://evil.example/', '//evil.example', '/\\evil.example', '\r\nx: y']) {
    const callback = provider.authorize(await browser.follow(link))
    const index = browser.cookies.findIndex(({ name }) => name.includes('.'))
    // Even if somebody could write the cookie.
    const { name } = browser.cookies[index]!
    browser.cookies[index] = { name, value: encodeURIComponent(target) }
    expect(await browser.follow(callback)).toBe(`${PAGE}?t=${encodeURIComponent(target)}`)
    browser.cookies.length = 0
  }
  // A link that is not valid begins no sign-in.
  expect(await browser.open(`${PAGE}?t=x`)).toMatchObject({ status: 400, outcome: 'invalid' })
})

/** Two apps on one host, and a browser with a link to each of them. */
async function setUpTwo() {
  const provider = await createProvider()
  const bases = ['https://apps.example.com', 'https://apps.example.com/actions/billing']
  const client = { issuer: ISSUER, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  const apps = bases.map((publicUrl, index) => {
    const connect = openIdConnect({ ...client, fetch: provider.fetch })
    const options = { publicUrl, signIn: connect, receipts: memoryReceipts() }
    return createActionApp(createExtendTrial(), options, { name: `app-${index}` })
  })
  const links = await Promise.all(apps.map(async (app) => (await readLinks(app))[0]!))
  // The longer URL first: the other one is its beginning.
  const browser = createBrowser({ [bases[1]!]: apps[1]!, [bases[0]!]: apps[0]! })
  return { provider, browser, links }
}

test('two apps on one host do not share a session', async () => {
  const { provider, browser, links } = await setUpTwo()
  expect(await signIn(browser, provider, links[0]!)).toMatchObject({ status: 200 })
  expect((await browser.request(links[1]!)).status).toBe(303)
  expect(await signIn(browser, provider, links[1]!)).toMatchObject({ status: 200 })
  expect(await browser.open(links[0]!)).toMatchObject({ status: 200 })
  // Nor does the cookie of one app count under the name of the other one.
  const [first, second] = browser.cookies.filter(({ name }) => !name.includes('.'))
  expect(first!.name).not.toBe(second!.name)
  browser.cookies.length = 0
  browser.cookies.push({ ...second!, value: first!.value })
  expect((await browser.request(links[1]!)).status).toBe(303)
})

test('two apps on one host together keep the six newest unfinished sign-ins', async () => {
  const { provider, browser, links } = await setUpTwo()
  let time = Date.now()
  browser.use({ settings: { now: () => (time += 10) } })
  const locations: string[] = []
  for (let count = 0; count < 8; count += 1) {
    locations.push(await browser.follow(links[count % 2]!))
  }
  expect(browser.cookies).toHaveLength(6)
  for (const location of locations.slice(-6)) {
    expect(links).toContain(await browser.follow(provider.authorize(location)))
  }
})

/** Signs in as an attacker, whose cookies a page of a sibling subdomain then sets. */
async function plant() {
  const { provider, app, browser, link } = await setUp()
  const attacker = createBrowser({ [PUBLIC_URL]: app })
  provider.claims = { sub: 'mallory', email: 'mallory@evil.example' }
  const callback = provider.authorize(await attacker.follow(link))
  const attempt = attacker.cookies[0]!
  await attacker.follow(callback)
  const session = attacker.cookies[0]!
  provider.claims = {}
  provider.requests.length = 0
  return { provider, browser, link, callback, attempt, session }
}

test.each(['__Secure-', '', '__host-'])(
  'a planted session or attempt whose name begins with "%s" signs nobody in',
  async (prefix) => {
    const { provider, browser, link, callback, attempt, session } = await plant()
    const rename = (name: string) => name.replace('__Host-', prefix)
    browser.cookies.push({ ...session, name: rename(session.name) })
    expect((await browser.request(link)).status).toBe(303)
    browser.cookies.push({ ...attempt, name: rename(attempt.name) })
    expect(await browser.open(callback)).toMatchObject(DENIED)
    expect(provider.requests).not.toContain('/token')
  },
)

test('a request with two session cookies is denied, and is not redirected to the provider', async () => {
  const { provider, browser, link, session } = await plant()
  const page = await signIn(browser, provider, link)
  expect(page.html).toContain('Signed in as robin@acme.example')
  const [own] = browser.cookies
  for (const both of [
    [session, own!],
    [own!, session],
    [own!, { ...session, name: `${session.name}\t` }],
  ]) {
    browser.cookies.splice(0, 2, ...both)
    expect(await browser.open(link)).toMatchObject(DENIED)
    expect(await postPage(browser, page)).toMatchObject({ status: 403, outcome: 'forbidden' })
  }
  // An agent who deletes the cookies can sign in again.
  browser.cookies.length = 0
  expect(await signIn(browser, provider, link)).toMatchObject({ status: 200 })
})

test('a reply is denied if the browser sends two cookies for its attempt', async () => {
  const { provider, browser, link, attempt } = await plant()
  const callback = provider.authorize(await browser.follow(link))
  browser.cookies.unshift({ ...attempt, name: browser.cookies[0]!.name })
  expect(await browser.open(callback)).toMatchObject(DENIED)
  expect(provider.requests).not.toContain('/token')
})

test('the user info of somebody else is denied', async () => {
  const { provider, comeBack } = await setUp()
  provider.claims = { email: undefined }
  provider.userInfo = { sub: 'user-8', email: 'ceo@acme.example' }
  expect(await comeBack()).toMatchObject(DENIED)
})

test('nothing of a sign-in is in the log', async () => {
  const { provider, browser, link, log, enter, comeBack } = await setUp()
  provider.claims = { aud: 'another-app' }
  const callback = new URL(provider.authorize(await browser.follow(link)))
  await browser.open(callback.href)
  provider.claims = {}
  await enter()
  provider.secret = 'other'
  browser.cookies.length = 0
  await comeBack()
  expect(log()).toContain('(invalid_client)')
  const sent = ['code', 'state'].map((name) => callback.searchParams.get(name)!)
  for (const one of ['robin', 'user-7', CLIENT_SECRET, 'access-token', 'eyJ', ...sent]) {
    expect(log()).not.toContain(one)
  }
})

test.each([
  ['the metadata of another provider', { issuer: 'https://id.example.com/other' }],
  ['a token endpoint over http', { token_endpoint: 'http://id.example.com/token' }],
  ['no authorization endpoint', { authorization_endpoint: undefined }],
])('a provider with %s is not used', async (_name, metadata) => {
  const { provider, browser, link } = await setUp()
  provider.metadata = metadata
  const response = await browser.request(link)
  const location = response.headers.get('location')
  const ended = location === null ? response : await browser.request(provider.authorize(location))
  expect(ended.status).toBe(403)
  expect(provider.requests).not.toContain('/token')
})

test('a page over http begins no sign-in', async () => {
  const { provider, connect } = await setUp()
  const publicUrl = 'http://billing.example.com'
  const app = createActionApp(createExtendTrial(), { signIn: connect, publicUrl })
  const browser = createBrowser({ [publicUrl]: app })
  const [link] = await readLinks(app)
  expect(await browser.open(link!)).toMatchObject(DENIED)
  expect(provider.requests).toEqual([])
})

test('nothing in an attempt occurs twice or can be guessed', async () => {
  const { browser, link, createLink } = await setUp()
  const seen: string[] = []
  for (const url of [link, link, await createLink()]) {
    const { searchParams } = new URL(await browser.follow(url))
    for (const name of ['state', 'nonce', 'code_challenge']) seen.push(searchParams.get(name)!)
  }
  expect(new Set(seen).size).toBe(9)
  for (const value of seen) expect(value.length).toBeGreaterThan(28)
})

test.each<[Record<string, number>, RegExp]>([
  [{ nbf: 312, iat: 312 }, /issued 3(?:0\d|1\d) seconds in the future\. Compare the clocks/],
  [{ iat: 312 }, /issued 3(?:0\d|1\d) seconds in the future\. Compare the clocks/],
  [{ iat: -700, exp: -400 }, /issued 7[0-4]\d seconds ago\. Compare the clocks/],
])('the log says how far the clock is off for an ID token with %j', async (ages, message) => {
  const { provider, log, comeBack } = await setUp()
  const claims = Object.entries(ages).map(([name, seconds]) => [name, now() + seconds])
  provider.claims = Object.fromEntries(claims)
  await comeBack()
  expect(log()).toMatch(message)
})
