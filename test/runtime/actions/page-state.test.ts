import { type Receipts } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { AGENT, confirmPage, createActionApp, openPage, readLinks } from '../../helpers/actions.ts'
import { createDesk } from '../../helpers/desk.ts'

const DEV = { SIDECARD_DEV: '1' }

/** Creates an app that counts its calls of `show`, and whose store rejects every use. */
async function createStateApp(overrides: Record<string, unknown> = {}) {
  const calls: string[] = []
  const fail = (name: string) => () => (calls.push(name), expect.unreachable(name))
  const names = ['begin', 'settle', 'list', 'erase'] as const
  const receipts = Object.fromEntries(names.map((name) => [name, fail(name)])) as never as Receipts
  const action = {
    show: () => (calls.push('show'), []),
    lookUp: fail('lookUp'),
    canSetOutcome: () => false,
    ...overrides,
  }
  const desk = createDesk(action, { receipts })
  const link = await desk.newLink()
  desk.records.length = desk.logger.lines.length = 0
  const open = (state: string, env: object | undefined = DEV, changes: object = {}) => {
    const headers = { 'x-sidecard-dev': '1', 'x-sidecard-page-state': state, ...changes }
    return openPage(desk.app, link, { headers }, env, { agent: AGENT })
  }
  return { desk, calls, open }
}

const applied = (page: { response: Response }) =>
  page.response.headers.get('x-sidecard-page-state-applied')

test.each([
  ['form', 'shown', 'Extend trial', ['show']],
  ['running', 'in_progress', 'In progress', []],
  ['done', 'already_done', 'Done', []],
  ['unknown', 'unknown', 'Outcome unknown', []],
  ['expired', 'expired', 'This link has expired', []],
  ['forbidden', 'forbidden', 'Not allowed', []],
])('a developer sees the page as %s, which does nothing', async (state, outcome, heading, used) => {
  const { desk, calls, open } = await createStateApp()
  const page = await open(state)
  expect(page).toMatchObject({ outcome, heading })
  expect(applied(page)).toBe(state)
  expect(calls).toEqual(used)
  expect([desk.runs, desk.records, desk.logger.lines]).toEqual([[], [], []])
  const names = ['running', 'done', 'unknown'].includes(state)
  expect(page.html.includes('Confirmed by robin@acme.example')).toBe(names)
  expect(page.html.includes('<form')).toBe(state === 'form')
})

test('an agent who may state an unknown outcome sees a button for it', async () => {
  const { open } = await createStateApp({ canSetOutcome: () => true })
  expect((await open('unknown')).html).toContain('It went through')
})

test('a page without a form is not the state form', async () => {
  for (const [overrides, status, outcome] of [
    [{ authorize: () => false }, 403, 'forbidden'],
    [{ show: () => Promise.reject(new Error('down')) }, 500, 'failed'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { open, calls } = await createStateApp(overrides)
    // oxlint-disable-next-line no-await-in-loop -- as above
    const page = await open('form')
    expect(page).toMatchObject({ outcome, status })
    expect([applied(page), calls]).toEqual([null, []])
  }
})

test.each(['', 'Done', 'constructor'])('the unknown state %j is rejected', async (state) => {
  const { calls, open } = await createStateApp()
  const page = await open(state)
  expect(page).toMatchObject({ status: 400, outcome: 'invalid' })
  expect(page.html).toContain('one of form, running, done, unknown, expired, forbidden.')
  expect(applied(page)).toBeNull()
  expect(calls).toEqual([])
})

test.each<[string, object, object]>([
  ['the variable', {}, {}],
  ['the right variable', { SIDECARD_DEV: 'true' }, {}],
  ['the header', DEV, { 'x-sidecard-dev': '' }],
])('without %s, the state is ignored', async (_, env, headers) => {
  const { calls, open } = await createStateApp()
  const page = await open('forbidden', env, headers)
  expect(page).toMatchObject({ status: 200, outcome: 'shown' })
  expect(applied(page)).toBeNull()
  expect(calls).toContain('list')
})

test('a developer’s request without a state, and a form with one, are ordinary', async () => {
  const app = createActionApp()
  const settings = { agent: AGENT }
  const [link] = await readLinks(app)
  const dev = { 'x-sidecard-dev': '1' }
  const page = await openPage(app, link!, { headers: dev }, DEV, settings)
  expect(page).toMatchObject({ status: 200, outcome: 'shown' })
  expect(applied(page)).toBeNull()
  const headers = { ...dev, 'x-sidecard-page-state': 'unknown', 'sec-fetch-site': 'same-origin' }
  const done = await confirmPage(app, page, undefined, headers, DEV, settings)
  expect(done).toMatchObject({ outcome: 'done' })
  expect(applied(done)).toBeNull()
})
