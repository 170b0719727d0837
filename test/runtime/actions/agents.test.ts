import { type ActionContext, anyAgent, memoryReceipts } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { createActionApp, localPath, readPage, send } from '../../helpers/actions.ts'
import { createDesk } from '../../helpers/desk.ts'
import { setUp } from '../../helpers/open-id-stub.ts'

const LONG = 'x'.repeat(320)
// A shortened list could lack the group that a rule excludes.
const MANY = Array.from({ length: 10_000 }, () => 'g')

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
    { id: 'a', groups: ['leads', '', ' ', `${LONG}x`] },
    { id: 'a', groups: ['leads', `${LONG}x`] },
  ],
  [
    { id: 'a', groups: MANY },
    { id: 'a', groups: MANY },
  ],
])('an agent has the texts that the sign-in returns: %#', async (found, agent) => {
  const desk = createDesk({}, { signIn: () => ({ groups: [], ...found }) })
  await desk.confirm(await desk.open())
  expect(desk.runs.map((run) => run.agent)).toEqual([agent])
  expect(Object.keys(desk.runs[0]!.agent!)).toEqual(Object.keys(agent))
})

test.each([
  ['email', { id: 'a', email: 'a@b', name: 'Ann' }, 'a@b'],
  ['name with the ID', { id: 'a', name: 'Ann' }, 'Ann (a)'],
  ['ID', { id: 'a' }, 'a'],
])('the page calls an agent by the %s', async (_, agent, name) => {
  const { html } = await createDesk({}, { signIn: () => agent }).open()
  expect(html).toContain(`Signed in as ${name}<`)
})

test('a reply of a provider without a link says to open one, if the agent is known', async () => {
  const page = await readPage(await send(createActionApp(), '/actions?state=s'))
  expect(page).toMatchObject({ status: 400, outcome: 'invalid' })
  expect(page.html).toContain('Open this page from the sidebar')
})

describe('during development', () => {
  const ENV = { SIDECARD_DEV: '1' }

  /** Opens a page as a browser does, without the settings of a test. */
  async function start() {
    const seen: unknown[] = []
    const show = (ctx: ActionContext) => (seen.push(ctx.agent), [])
    const signIn = Object.assign(() => expect.unreachable(), { canSignOut: true })
    // On Workers, memoryReceipts() itself runs only in tests.
    const options = { signIn, receipts: { ...memoryReceipts() }, publicUrl: undefined }
    const { app, runs, logger } = createDesk({ show }, options)
    const request = (path: string, init: RequestInit = {}) =>
      app.request(`http://localhost${path}`, init, ENV)
    const { components }: any = await (await request('/?request_type=fetch_data')).json()
    const open = async (query: string, cookie = '') =>
      readPage(await request(localPath(components[0].url) + query, { headers: { cookie } }))
    return { runs, seen, open, request, lines: logger.lines }
  }

  test('a developer is signed in, and cannot sign out', async () => {
    const { seen, open } = await start()
    const page = await open('')
    expect(page.html).toContain('Signed in as developer@localhost')
    expect(page.html).not.toContain('Sign out')
    expect(page.response.headers.get('set-cookie')).toBeNull()
    const names = { email: 'developer@localhost', name: 'Developer' }
    expect(seen).toEqual([{ id: 'developer', ...names, groups: [] }])
  })

  test('the workspace chooses another agent, whom the form keeps', async () => {
    const { runs, seen, open, request, lines } = await start()
    const page = await open(`&agent=${encodeURIComponent('ann@acme.example, finance')}`)
    const ann = { id: 'ann@acme.example', email: 'ann@acme.example', groups: ['finance'] }
    expect(seen).toEqual([ann])
    const [kept, ...attributes] = (page.response.headers.get('set-cookie') ?? '').split('; ')
    expect(kept).toBe('sidecard-agent=ann%40acme.example%2C%20finance')
    expect(attributes).toEqual(['Path=/actions', 'HttpOnly', 'SameSite=Lax'])
    const body = new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': '7' })
    const init = { body, headers: { cookie: kept!, 'sec-fetch-site': 'same-origin' } }
    const posted = await request('/actions?agent=sam@acme.example', { method: 'POST', ...init })
    const done = await readPage(posted)
    expect(done.outcome).toBe('done')
    expect(done.response.headers.get('set-cookie')).toBeNull()
    expect(runs).toMatchObject([{ agent: ann }])
    const logged = { requestType: 'action', method: 'POST', agent: 'ann@acme.example' }
    expect(lines.at(-1)).toMatchObject({ level: 'info', fields: logged })
    // The same choice again needs no cookie, and none removes it.
    const again = await open('&agent=ann@acme.example,%20finance', kept)
    expect(again.response.headers.get('set-cookie')).toBeNull()
    const none = await open('', kept)
    expect(none.response.headers.get('set-cookie')).toMatch(/^sidecard-agent=;/)
  })
})

/** Opens a page with a rule, and confirms it. */
async function log(
  allow: (ctx: ActionContext, values: unknown) => unknown,
  agent: unknown = { id: 'agent-7', email: 'robin@acme.example', groups: ['staff'] },
) {
  const authorize = (ctx: ActionContext, _input: unknown, values: unknown) => allow(ctx, values)
  const desk = createDesk({ authorize }, { signIn: () => agent })
  const page = await desk.open()
  if (page.t !== undefined) await desk.confirm(page)
  const { level, fields } = desk.logger.lines.at(-1)!
  return { desk, level, fields, groups: fields['groups'] as any }
}

describe('logging', () => {
  test('the log of a normal sign-in has no warning', async () => {
    const { enter, logger } = await setUp()
    await enter()
    const lines = logger.lines.filter(({ fields }) => fields['requestType'] === 'action')
    const found = lines.map(({ level, fields: { status, outcome } }) => [level, status, outcome])
    const signedIn = ['info', 303, 'sign_in']
    expect(found).toEqual([signedIn, signedIn, ['info', 200, 'shown']])
  })

  test.each([
    [200, 'info', 'sign_in'],
    [302, 'info', 'sign_in'],
    [403, 'warn', 'forbidden'],
  ])('a sign-in that responds with %i is logged as %s', async (status, level, outcome) => {
    const logged = await log(() => true, new Response(null, { status }))
    expect(logged).toMatchObject({ level, fields: { status, outcome } })
  })

  test('the log of a denied agent has the groups that the rule asked for, and those found', async () => {
    const agent = { id: 'agent-7', email: 'robin@acme.example', groups: ['staff', 'night'] }
    const { level, fields, groups, desk } = await log(
      ({ agent: one }) => one?.groups.includes('leads') || one!.groups.indexOf('finance') >= 0,
      agent,
    )
    expect([level, fields['outcome']]).toEqual(['warn', 'forbidden'])
    expect(groups).toEqual({ asked: ['leads', 'finance'], found: ['staff', 'night'] })
    expect(desk.log()).not.toMatch(/agent-7|robin/)
  })

  test('the log names the groups that the rule asked for when it denied the confirmation', async () => {
    const { desk, groups } = await log(({ agent }, values) =>
      agent?.groups.includes(values === undefined ? 'staff' : 'leads'),
    )
    expect(groups).toEqual({ asked: ['leads'], found: ['staff'] })
    expect(desk.logger.lines.at(-2)?.fields['groups']).toBeUndefined()
  })

  test('the log has at most twenty names of groups, first those that the rule asked for', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${index}${'g'.repeat(200)}`)
    const { groups } = await log(
      ({ agent }) => agent?.groups.includes(names[29]!) && agent.groups.includes('leads'),
      { id: 'agent-7', groups: names },
    )
    const [last, first] = [names[29]!.slice(0, 100), names[0]!.slice(0, 100)]
    expect(groups.asked).toEqual([last, 'leads'])
    expect(groups.found).toHaveLength(20)
    expect(groups.found.slice(0, 2)).toEqual([last, first])
  })

  test('the log has the groups found if a rule reads them in a different way', async () => {
    const { groups } = await log((ctx) => ctx.agent?.groups.some((one) => one === 'leads'))
    expect(groups).toEqual({ asked: [], found: ['staff'] })
    expect((await log(() => false, anyAgent()(undefined as never))).groups).toBeUndefined()
  })
})
