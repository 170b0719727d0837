import { type ActionContext, memoryReceipts } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import {
  createActionApp,
  createExtendTrial,
  localPath,
  openPage,
  readLinks,
  readPage,
  send,
} from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'

const LONG = 'x'.repeat(320)

describe('an agent has the fields that the sign-in returns, if they are texts', () => {
  test.each<[object, object]>([
    [{ id: 'a' }, { id: 'a', groups: [] }],
    [{ email: 'a@b' }, { id: 'a@b', email: 'a@b', groups: [] }],
    [
      { id: 'a', email: ' ', name: 'Ann' },
      { id: 'a', name: 'Ann', groups: [] },
    ],
    [
      { id: 7, email: 'a@b', name: 7 },
      { id: 'a@b', email: 'a@b', groups: [] },
    ],
    [
      { id: LONG, name: `${LONG}x` },
      { id: LONG, groups: [] },
    ],
    [
      { id: 'a', role: 'admin' },
      { id: 'a', groups: [] },
    ],
    [
      { id: 'a', groups: 'leads' },
      { id: 'a', groups: ['leads'] },
    ],
    [
      { id: 'a', groups: ['leads', '', ' ', `${LONG}x`, 'staff'] },
      { id: 'a', groups: ['leads', `${LONG}x`, 'staff'] },
    ],
    [
      // A shortened list could lack the group that a rule excludes.
      { id: 'a', groups: Array.from({ length: 10_000 }, () => 'g') },
      { id: 'a', groups: Array.from({ length: 10_000 }, () => 'g') },
    ],
  ])('%#', async (returned, expected) => {
    const seen: unknown[] = []
    const show = (ctx: ActionContext) => (seen.push(ctx.agent), [])
    const agent = { groups: [], ...returned }
    const app = createActionApp(createExtendTrial({ show }), { signIn: () => agent as never })
    const [link] = await readLinks(app)
    await openPage(app, link!)
    expect(seen).toEqual([expected])
    expect(Object.keys(seen[0] as object)).toEqual(Object.keys(expected))
  })
})

test.each([
  ['email', { id: 'a', email: 'a@b', name: 'Ann' }, 'a@b'],
  ['name with the ID', { id: 'a', name: 'Ann' }, 'Ann (a)'],
  ['ID', { id: 'a' }, 'a'],
])('the page calls an agent by the %s', async (_, agent, name) => {
  const app = createActionApp(undefined, { signIn: () => agent })
  const [link] = await readLinks(app)
  expect((await openPage(app, link!)).html).toContain(`Signed in as ${name}<`)
})

test('a sign-in that returns no agent is in the log', async () => {
  const logger = createRecordingLogger()
  const app = createActionApp(undefined, { signIn: () => ({}) as never }, { logger })
  const [link] = await readLinks(app)
  expect(await openPage(app, link!)).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(JSON.stringify(logger.lines)).toContain(
    'The option signIn of actions() did not return an agent.',
  )
})

test('a reply of a provider without a link says to open one, if the agent is known', async () => {
  const app = createActionApp(undefined, { signIn: () => ({ id: 'a' }) })
  const page = await readPage(await send(app, '/actions?state=s'))
  expect(page).toMatchObject({ status: 400, outcome: 'invalid' })
  expect(page.html).toContain('Open this page from the sidebar')
})

describe('during development', () => {
  const ENV = { SIDECARD_DEV: '1' }

  /** Opens a page as a browser does, without the settings of a test. */
  async function start() {
    const seen: unknown[] = []
    const logger = createRecordingLogger()
    const show = (ctx: ActionContext) => (seen.push(ctx.agent), [])
    const signIn = Object.assign(() => Promise.reject(new Error('no sign-in')), {
      canSignOut: true,
    })
    // On Workers, memoryReceipts() itself runs only in tests.
    const options = { signIn, receipts: { ...memoryReceipts() }, publicUrl: undefined as never }
    const app = createActionApp(createExtendTrial({ show }), options, { logger })
    const sidebar = await app.request('http://localhost/?request_type=fetch_data', {}, ENV)
    const { components }: any = await sidebar.json()
    const path = `http://localhost${localPath(components[0].url)}`
    const open = async (query: string, cookie = '') =>
      readPage(await app.request(path + query, { headers: { cookie } }, ENV))
    return { app, seen, open, lines: logger.lines }
  }

  test('a developer is signed in, and cannot sign out', async () => {
    const { seen, open } = await start()
    const page = await open('')
    expect(page.html).toContain('Signed in as developer@localhost')
    expect(page.html).not.toContain('Sign out')
    expect(page.response.headers.get('set-cookie')).toBeNull()
    expect(seen).toEqual([
      { id: 'developer', email: 'developer@localhost', name: 'Developer', groups: [] },
    ])
  })

  test('the workspace chooses another agent, whom the form keeps', async () => {
    const { app, seen, open, lines } = await start()
    const page = await open(`&agent=${encodeURIComponent('ann@acme.example, finance')}`)
    const ann = { id: 'ann@acme.example', email: 'ann@acme.example', groups: ['finance'] }
    expect(seen).toEqual([ann])
    const cookie = page.response.headers.get('set-cookie') ?? ''
    expect(cookie).toBe(
      'sidecard-agent=ann%40acme.example%2C%20finance; Path=/actions; HttpOnly; SameSite=Lax',
    )
    const [kept] = cookie.split(';')
    const body = new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': '7' })
    const headers = { cookie: kept!, 'sec-fetch-site': 'same-origin' }
    const init = { method: 'POST', body, headers }
    const done = await readPage(
      await app.request('http://localhost/actions?agent=sam@acme.example', init, ENV),
    )
    expect(done.outcome).toBe('done')
    expect(done.response.headers.get('set-cookie')).toBeNull()
    expect(app.journal.runs).toMatchObject([{ agent: ann }])
    const logged = { requestType: 'action', method: 'POST', agent: 'ann@acme.example' }
    expect(lines.at(-1)).toMatchObject({ level: 'info', fields: logged })
    // The same choice again needs no cookie, and none removes it.
    const again = await open('&agent=ann@acme.example,%20finance', kept)
    expect(again.response.headers.get('set-cookie')).toBeNull()
    const none = await open('', kept)
    expect(none.response.headers.get('set-cookie')).toMatch(/^sidecard-agent=;/)
  })
})
