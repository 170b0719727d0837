import { openIdConnect } from 'sidecard/actions'
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

test('an agent signs in at the provider, once for all links', async () => {
  const { provider, browser, link, createLink, app, logger } = await setUp()
  const first = await browser.request(link)
  expect(first.status).toBe(303)
  expect(first.headers.get('cache-control')).toBe('no-store')
  const location = new URL(first.headers.get('location')!)
  expect(location.searchParams.get('redirect_uri')).toBe(PAGE)
  expect(location.searchParams.has('prompt')).toBe(false)
  const callback = provider.authorize(location.href)
  expect(callback.startsWith(`${PAGE}?code=`)).toBe(true)
  const back = await browser.follow(callback)
  expect(back).toBe(link)
  const page = await browser.open(back)
  expect(page).toMatchObject({ status: 200, outcome: 'shown' })
  expect(page.html).toContain('Signed in as robin@acme.example')
  // The form is sent to this page only.
  expect(page.response.headers.get('content-security-policy')).toContain("form-action 'self';")
  const requests = ['/.well-known/openid-configuration', '/token', '/keys']
  expect(provider.requests).toEqual(requests)
  expect(await browser.open(await createLink())).toMatchObject({ status: 200 })
  expect(browser.cookies).toHaveLength(1)
  // The cookie says nothing to the agent, and another sign-in asks for no metadata again.
  expect(JSON.stringify(browser.cookies)).not.toContain('robin')
  const other = createBrowser({ [PUBLIC_URL]: app })
  expect(await signIn(other, provider, link)).toMatchObject({ status: 200 })
  expect(provider.requests).toEqual([...requests, '/token'])
  expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test.each(['', '?state=x'])('the agent of the sign-in confirms%s', async (query) => {
  const { provider, browser, enter, app } = await setUp()
  provider.claims = { name: 'Robin', email_verified: true }
  const done = await postPage(browser, await enter(), undefined, `${PAGE}${query}`)
  expect(done).toMatchObject({ outcome: 'done' })
  const agent = { id: 'user-7', email: 'robin@acme.example', name: 'Robin' }
  expect(app.journal.runs).toMatchObject([{ agent }])
})

test.each([
  ['no secret', undefined, undefined],
  ['a secret in the body', CLIENT_SECRET, ['client_secret_post']],
] as const)('a client with %s signs in', async (_name, secret, methods) => {
  const { provider, enter } = await setUp({ clientSecret: secret })
  provider.secret = secret
  provider.metadata = { token_endpoint_auth_methods_supported: methods }
  expect(await enter()).toMatchObject({ status: 200 })
})

test('the URL of the provider keeps its own query', async () => {
  const { provider, browser, link } = await setUp()
  provider.metadata = { authorization_endpoint: `${ISSUER}/authorize?policy=agents` }
  const location = await browser.follow(link)
  expect(new URL(location).searchParams.get('policy')).toBe('agents')
  expect(await browser.follow(provider.authorize(location))).toBe(link)
})

test('the secret is read from the bindings', async () => {
  const clientSecret = { binding: 'OIDC_CLIENT_SECRET' }
  const { provider, browser, comeBack, enter } = await setUp({ clientSecret })
  // A missing one does not become a client without a secret.
  expect(await comeBack()).toMatchObject(DENIED)
  expect(provider.requests).not.toContain('/token')
  browser.use({ env: { OIDC_CLIENT_SECRET: CLIENT_SECRET } })
  expect(await enter()).toMatchObject({ status: 200 })
})

test('an agent who signs out is asked again by the provider', async () => {
  const { provider, browser, link, createLink } = await setUp()
  const page = await signIn(browser, provider, link)
  const [, action = ''] = /action="([^"]*sign-out)"/.exec(page.html) ?? []
  const signOut = new URL(action, PAGE).href
  expect(page.html).toContain('Sign out</button>')
  // Neither another site nor a link does it.
  expect(await browser.post(signOut, {}, 'cross-site')).toMatchObject({ status: 403 })
  for (const url of [signOut, `${link}&sign-out`]) await browser.open(url)
  expect(await browser.open(link)).toMatchObject({ status: 200 })
  const { response } = await browser.post(signOut)
  expect(response.status).toBe(303)
  const after = await browser.open(response.headers.get('location')!)
  expect(after).toMatchObject({ status: 200, heading: 'You are signed out' })
  for (const _attempt of [1, 2]) {
    const location = new URL(await browser.follow(link))
    expect(location.searchParams.get('prompt')).toBe('login')
  }
  expect(await signIn(browser, provider, link)).toMatchObject({ status: 200 })
  // The session ends, and the provider may remember the agent again.
  browser.use({ settings: { now: () => Date.now() + 28_801_000 } })
  const later = { now: () => Date.now() + 28_801_000 }
  const location = new URL(await browser.follow(await createLink(later)))
  expect(location.searchParams.has('prompt')).toBe(false)
})

test('twenty tabs that open together fit into the headers of a request', async () => {
  const { browser, createLink } = await setUp()
  const links = await Promise.all(Array.from({ length: 20 }, () => createLink()))
  await Promise.all(links.map((link) => browser.follow(link)))
  expect(browser.cookies).toHaveLength(20)
  // Node accepts 16 kB.
  expect(browser.cookieHeader().length).toBeLessThan(12_000)
  await browser.follow(links[0]!)
  expect(browser.cookies).toHaveLength(6)
})

test('long links leave fewer attempts', async () => {
  const { browser, app } = await setUp()
  const query = '/?request_type=fetch_data&account_id='
  for (let count = 0; count < 8; count += 1) {
    const [link] = await readLinks(app, `${query}${'a'.repeat(500)}`, {})
    expect(link!.length).toBeGreaterThan(1_500)
    await browser.follow(link!)
  }
  expect(browser.cookieHeader().length).toBeLessThan(8_500)
})

test('of nine hundred groups, those that the app asks for fit into the cookie', async () => {
  const { provider, browser, enter, app } = await setUp({
    groups: ['leads', 'group-899', 'absent'],
  })
  const groups = Array.from({ length: 900 }, (_, index) => `group-${index}`)
  provider.claims = { groups: ['leads', ...groups] }
  await postPage(browser, await enter())
  expect(app.journal.runs).toMatchObject([{ agent: { groups: ['leads', 'group-899'] } }])
})

test('the longest groups, names and IDs fit into the cookie, or the sign-in fails', async () => {
  const groups = Array.from({ length: 37 }, (_, index) => `${index}`.padStart(36, 'a'))
  const { provider, browser, enter, comeBack } = await setUp({ groups })
  const name = '名'.repeat(2_000)
  provider.claims = { groups, sub: 's'.repeat(255), name, email: `${'e'.repeat(240)}@acme.example` }
  expect(await enter()).toMatchObject({ status: 200 })
  browser.cookies.length = 0
  provider.claims = { groups, sub: 's'.repeat(3_000) }
  // A cookie that the browser drops would lead to the provider forever.
  expect(await comeBack()).toMatchObject(DENIED)
})

test.each([
  ['https://acme.example/roles', (roles: unknown) => ({ 'https://acme.example/roles': roles })],
  ['realm_access.roles', (roles: unknown) => ({ realm_access: { roles } })],
])('groups come from the claim %s, also from the user info', async (groupsClaim, claim) => {
  const authorize = (ctx: any) => ctx.agent.groups.includes('leads')
  const options = { groups: ['leads'], groupsClaim }
  const { provider, browser, enter } = await setUp(options, { authorize })
  provider.userInfo = { groups: ['leads'] }
  await expect(enter()).rejects.toThrow('status 403')
  provider.userInfo = claim('leads')
  browser.cookies.length = 0
  expect(await enter()).toMatchObject({ status: 200 })
  provider.claims = claim(['leads', 'staff'])
  provider.userInfo = claim(['staff'])
  browser.cookies.length = 0
  expect(await enter()).toMatchObject({ status: 200 })
  // The last ID token says all: the user info is not asked for.
  expect(provider.requests.filter((path) => path === '/userinfo')).toHaveLength(2)
})

test('the address can come from the user info', async () => {
  const { provider, enter } = await setUp()
  provider.claims = { email: undefined }
  provider.userInfo = { email: 'robin@acme.example', email_verified: true }
  expect((await enter()).html).toContain('Signed in as robin@acme.example')
})

test.each([-40, 40])('clocks may be %i s apart', async (seconds) => {
  const { provider, enter } = await setUp()
  const time = now() + seconds
  provider.claims = { iat: time, nbf: time, exp: time + 15 }
  expect(await enter()).toMatchObject({ status: 200 })
})

test('while the provider is down, nobody signs in, and the log says why', async () => {
  const { provider, browser, link, log } = await setUp()
  provider.isDown = true
  const page = await browser.open(link)
  expect(page).toMatchObject(DENIED)
  expect(page.html).toContain('Trace ID')
  expect(page.html).not.toContain('fetch failed')
  expect(log()).toContain('The provider: fetch failed"')
  provider.isDown = false
  const callback = provider.authorize(await browser.follow(link))
  provider.isDown = true
  expect(await browser.open(callback)).toMatchObject(DENIED)
  provider.isDown = false
  expect(await signIn(browser, provider, link)).toMatchObject({ status: 200 })
  // Agents who are signed in do not need it.
  provider.isDown = true
  expect(await browser.open(link)).toMatchObject({ status: 200 })
})

test('a provider that never replies ends with the timeout of the app', async () => {
  const { link } = await setUp()
  const signals: AbortSignal[] = []
  const fetch = (_url: string, init: RequestInit) =>
    new Promise<never>(() => void signals.push(init.signal!))
  const connect = openIdConnect({ issuer: ISSUER, clientId: CLIENT_ID, fetch })
  const hurried = createActionApp(createExtendTrial(), { signIn: connect }, { timeoutMs: 100 })
  const browser = createBrowser({ [PUBLIC_URL]: hurried })
  expect(await browser.open(link)).toMatchObject(DENIED)
  expect(signals.every(({ aborted }) => aborted)).toBe(true)
})

test('a session counts for no other options, and for no other secret', async () => {
  const { provider, browser, enter } = await setUp()
  await enter()
  const others = [
    [{ groups: ['leads'] }, {}],
    [{ clientId: 'other' }, {}],
    [{}, { secret: 'another-action-secret-of-more-than-32-characters' }],
  ]
  for (const [changes, appOptions] of others) {
    const client = { issuer: ISSUER, clientId: CLIENT_ID, fetch: provider.fetch }
    const connect = openIdConnect({ ...client, ...changes })
    const app = createActionApp(createExtendTrial(), { signIn: connect, ...appOptions })
    const other = createBrowser({ [PUBLIC_URL]: app })
    other.cookies.push(browser.cookies[0]!)
    const [url] = await readLinks(app)
    expect((await other.request(url!)).status).toBe(303)
  }
})

test('a session survives the rotation of the secret', async () => {
  const provider = await createProvider()
  const connect = openIdConnect({ issuer: ISSUER, clientId: CLIENT_ID, fetch: provider.fetch })
  provider.secret = undefined
  const create = (secret: string | string[]) =>
    createActionApp(createExtendTrial(), { signIn: connect, secret })
  const [older, newer] = ['o'.repeat(40), 'n'.repeat(40)]
  const before = create(older)
  const browser = createBrowser({ [PUBLIC_URL]: before })
  await signIn(browser, provider, (await readLinks(before))[0]!)
  const after = create([newer, older])
  const later = createBrowser({ [PUBLIC_URL]: after })
  later.cookies.push(...browser.cookies)
  expect(await later.open((await readLinks(after))[0]!)).toMatchObject({ status: 200 })
})

test('an agent who may not do it can sign out', async () => {
  const { enter } = await setUp({}, { authorize: () => false })
  const page = await enter()
  expect(page.status).toBe(403)
  expect(page.html).toContain('who may not do this')
  expect(page.html).toContain('Sign out</button>')
})

test('a function can add to the agent of the sign-in', async () => {
  const { provider, connect } = await setUp()
  const own = async (c: Parameters<typeof connect>[0]) => {
    const agent = await connect(c)
    return typeof agent === 'object' && 'id' in agent ? { ...agent, groups: ['leads'] } : agent
  }
  const allow = (ctx: any) => ctx.agent.groups.includes('leads')
  const app = createActionApp(createExtendTrial({ authorize: allow }), {
    signIn: own as typeof connect,
  })
  const browser = createBrowser({ [PUBLIC_URL]: app })
  const [link] = await readLinks(app)
  expect(await signIn(browser, provider, link!)).toMatchObject({ status: 200 })
})

const CLAIMS = 'claims must be an object with'
const GOOGLE = 'https://accounts.google.com'

test.each<[string, object]>([
  ['issuer must be', { issuer: 'http://id.example.com' }],
  ['issuer must be', { issuer: '' }],
  ['clientId must be', { clientId: ' ' }],
  ['groups must be', { groups: Array.from({ length: 100 }, () => 'a'.repeat(20)) }],
  ...['email', 'email,openid', 5, ''].map((scope): [string, object] => [
    'scope must be scopes with openid',
    { scope },
  ]),
  ['sessionSeconds must be', { sessionSeconds: 604_800 }],
  ['sessions must be an object with the functions', { sessions: { isRevoked: () => false } }],
  ['idleSeconds must be an integer from 60 to 86400 (seconds)', { idleSeconds: 5 }],
  ['maxAgeSeconds must be an integer from 0', { maxAgeSeconds: -1 }],
  ['acrValues must be an array of', { acrValues: 'phr' }],
  ...[{}, { hd: [] }, { hd: {} }, { hd: ['acme.example', null] }, ['hd']].map(
    (claims): [string, object] => [CLAIMS, { claims }],
  ),
  ...[GOOGLE, `${GOOGLE}/`, 'https://ACCOUNTS.google.com'].flatMap((issuer): [string, object][] => [
    [`${CLAIMS} hd or sub`, { issuer }],
    [`${CLAIMS} hd or sub`, { issuer, claims: { email_verified: true } }],
  ]),
])('openIdConnect() says that %s (%j)', (message, changes) => {
  const options = { issuer: ISSUER, clientId: CLIENT_ID, ...changes }
  expect(() => openIdConnect(options)).toThrow(`openIdConnect: ${message}`)
})

test.each([{}, { scope: 'email openid' }, { issuer: GOOGLE, claims: { hd: 'acme.example' } }])(
  'openIdConnect() accepts %j',
  (changes) => {
    const options = { issuer: ISSUER, clientId: CLIENT_ID, ...changes }
    expect(openIdConnect(options)).toBeTypeOf('function')
  },
)

test('a sign-in ends no cookie of another page, and asks for the scope of the app', async () => {
  const { link, app, browser } = await setUp({ scope: 'openid groups' })
  const location = await browser.follow(link)
  expect(new URL(location).searchParams.get('scope')).toBe('openid groups')
  const others = Array.from({ length: 8 }, (_, index) => `zzz-${index}=1`).join('; ')
  const { pathname, search } = new URL(link)
  const response = await app.request(pathname.replace('/sidebar', '') + search, {
    headers: { cookie: others },
  })
  const cookies = response.headers.getSetCookie()
  expect(response.status).toBe(303)
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
    expect.stringMatching(/^__Host-sidecard-[\w-]{12}-/),
  ])
})
