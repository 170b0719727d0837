import { audit } from 'sidecard'
import { type Receipts } from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
} from '../../helpers/actions.ts'

const DEV = { SIDECARD_DEV: '1' }

/** Creates an app that counts its calls of `show`, and whose store rejects every use. */
async function createStateApp(overrides: Record<string, unknown> = {}, appOptions = {}) {
  const calls: string[] = []
  const fail = (name: string) => () => {
    calls.push(name)
    throw new Error('The store is not for examples.')
  }
  const names = ['begin', 'settle', 'list', 'erase'] as const
  const receipts = Object.fromEntries(names.map((name) => [name, fail(name)])) as never as Receipts
  const show = () => {
    calls.push('show')
    return []
  }
  const extendTrial = createExtendTrial({
    show,
    lookUp: fail('lookUp'),
    canSetOutcome: () => false,
    ...overrides,
  })
  const app = createActionApp(extendTrial, { receipts }, appOptions)
  const [link] = await readLinks(app)
  const open = (state: string, env: object | undefined = DEV, headers: object = {}) => {
    const all = { 'x-sidecard-dev': '1', 'x-sidecard-page-state': state, ...headers }
    return openPage(app, link!, { headers: all }, env, { agent: AGENT })
  }
  return { app, calls, open }
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
])(
  'a developer sees the page as %s, and nothing is done',
  async (state, outcome, heading, used) => {
    const records: unknown[] = []
    const lines: unknown[] = []
    const instrument = audit((record) => void records.push(record))
    const log = (line: unknown) => void lines.push(line)
    const logger = { debug: log, info: log, warn: log, error: log }
    const { app, calls, open } = await createStateApp({}, { instrument, logger })
    records.length = lines.length = 0
    const page = await open(state)
    expect(page).toMatchObject({ outcome, heading })
    expect(applied(page)).toBe(state)
    expect(calls).toEqual(used)
    expect(app.journal.runs).toEqual([])
    expect(records).toEqual([])
    expect(lines).toEqual([])
    const names = ['running', 'done', 'unknown'].includes(state)
    expect(page.html.includes('Confirmed by robin@acme.example')).toBe(names)
    expect(page.html.includes('<form')).toBe(state === 'form')
  },
)

test('an agent who may state an unknown outcome sees a button for it', async () => {
  const { open } = await createStateApp({ canSetOutcome: () => true })
  expect((await open('unknown')).html).toContain('It went through')
})

test('a page without a form is not the state form', async () => {
  const denied = await createStateApp({ authorize: () => false })
  const page = await denied.open('form')
  expect(page).toMatchObject({ outcome: 'forbidden', status: 403 })
  expect(applied(page)).toBeNull()
  expect(denied.calls).toEqual([])
  const failed = await createStateApp({ show: () => Promise.reject(new Error('down')) })
  const other = await failed.open('form')
  expect(other).toMatchObject({ outcome: 'failed', status: 500 })
  expect(applied(other)).toBeNull()
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
