import { expect, test, vi } from 'vitest'
import { DENIED, PAGE, postPage, setUp, signIn } from '../../helpers/open-id-stub.ts'

const ROBIN = { id: 'user-7', email: 'robin@acme.example' }

/** Keeps the IDs of revoked sessions, as a table of a database does. */
function createSessions() {
  const revoked = new Set<string>()
  return {
    revoked,
    isRevoked: vi.fn(async (id: string, _agent: object): Promise<unknown> => revoked.has(id)),
    revoke: vi.fn(async (id: string, _agent: object) => void revoked.add(id)),
  }
}

async function signInWith(sessions: unknown) {
  const found = await setUp({ sessions: sessions as never })
  return { ...found, page: await signIn(found.browser, found.provider, found.link) }
}

test('a sign-out revokes the session, so that a copy of its cookie stops working', async () => {
  const sessions = createSessions()
  const { browser, provider, link } = await signInWith(sessions)
  const [id] = sessions.isRevoked.mock.lastCall!
  expect(sessions.isRevoked).toHaveBeenCalledWith(id, ROBIN)
  const copies = [...browser.cookies]
  expect(await browser.post(`${PAGE}?sign-out`)).toMatchObject({ status: 303 })
  expect(sessions.revoke.mock.calls).toEqual([[id, ROBIN]])
  browser.cookies.splice(0, Infinity, ...copies)
  const location = new URL(await browser.follow(link))
  expect(location.searchParams.get('prompt')).toBe('login')
  expect(await signIn(browser, provider, link)).toMatchObject({ status: 200 })
  expect(sessions.isRevoked.mock.lastCall![0]).not.toBe(id)
})

test('a form of a revoked session runs nothing, and keeps the entered values', async () => {
  const sessions = createSessions()
  const { browser, page, app } = await signInWith(sessions)
  sessions.isRevoked.mockResolvedValue(true)
  const { t, form, seen } = page
  const after = await postPage(browser, page)
  expect(after).toMatchObject({ status: 403, t, form, seen })
  expect(after.html).toContain('value="7"')
  expect(app.journal.runs).toEqual([])
})

test('an agent whose sessions are all revoked is denied at the sign-in', async () => {
  const sessions = createSessions()
  sessions.isRevoked.mockImplementation(async (_id, agent: any) => agent.id === ROBIN.id)
  const { log, comeBack } = await setUp({ sessions: sessions as never })
  expect(await comeBack()).toMatchObject(DENIED)
  expect(log()).toContain('The sessions of this agent are revoked.')
})

test.each<[string, () => unknown]>([
  ['rejects', () => Promise.reject(new Error('no database'))],
  ['throws', () => expect.unreachable('no database')],
  ['returns nothing', () => undefined],
  ['returns a number', () => 0],
])('a check of the session that %s denies the request', async (_name, check) => {
  const sessions = createSessions()
  const { browser, link } = await signInWith(sessions)
  sessions.isRevoked.mockImplementation(check as never)
  expect(await browser.open(link)).toMatchObject(DENIED)
  sessions.isRevoked.mockResolvedValue(false)
  expect(await browser.open(link)).toMatchObject({ status: 200 })
})

test('a sign-out ends the session of the browser even if it cannot be revoked', async () => {
  const sessions = createSessions()
  const { browser, link } = await signInWith(sessions)
  sessions.revoke.mockRejectedValue(new Error('no database'))
  expect(await browser.post(`${PAGE}?sign-out`)).toMatchObject(DENIED)
  expect(await browser.follow(link)).toContain('prompt=login')
})

test('the list of revoked sessions can depend on the bindings', async () => {
  const sessions = createSessions()
  const found = await setUp({ sessions: (env: any) => env.SESSIONS })
  found.browser.use({ env: { SESSIONS: sessions } })
  await signIn(found.browser, found.provider, found.link)
  expect(sessions.isRevoked).toHaveBeenCalled()
  found.browser.use({ env: {} })
  expect(await found.browser.open(found.link)).toMatchObject(DENIED)
  // A sign-out that cannot revoke the session says so.
  expect(await found.browser.post(`${PAGE}?sign-out`)).toMatchObject(DENIED)
})

test('a session ends after idleSeconds without a request, and never after its own end', async () => {
  const { browser, provider, link, createLink } = await setUp({
    idleSeconds: 600,
    sessionSeconds: 1_500,
  })
  await signIn(browser, provider, link)
  const start = Date.now()
  const openAfter = async (seconds: number) => {
    const settings = { now: () => start + seconds * 1_000 }
    browser.use({ settings })
    return (await browser.open(await createLink(settings))).status
  }
  expect(await openAfter(590)).toBe(200)
  expect(await openAfter(1_180)).toBe(200)
  const copies = [...browser.cookies]
  expect(await openAfter(1_790)).toBe(303)
  browser.cookies.splice(0, Infinity, ...copies)
  expect(await openAfter(1_490)).toBe(200)
  expect(await openAfter(1_510)).toBe(303)
})

test('the provider gets the maximum age and the level of the sign-in', async () => {
  const { browser, provider, link, createLink } = await setUp({
    maxAgeSeconds: 300,
    acrValues: ['phr', 'phrh'],
  })
  const { searchParams } = new URL(await browser.follow(link))
  expect(searchParams.get('max_age')).toBe('300')
  expect(searchParams.get('acr_values')).toBe('phr phrh')
  const now = Math.floor(Date.now() / 1_000)
  for (const auth_time of [undefined, now - 400, 'now']) {
    provider.claims = { auth_time }
    const callback = provider.authorize(await browser.follow(await createLink()))
    expect(await browser.open(callback)).toMatchObject(DENIED)
  }
  provider.claims = { auth_time: now - 200 }
  expect(await signIn(browser, provider, link)).toMatchObject({ status: 200 })
})
