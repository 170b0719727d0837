import { text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { section, sidecard, noAuth, card } from 'sidecard'
import { actions, memoryReceipts } from 'sidecard/actions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  PUBLIC_URL,
  readLinks,
  SECRET,
  send,
} from '../../helpers/actions.ts'
import { createRecordingLogger, FETCH_DATA } from '../../helpers/app.ts'

const OTHER_ISSUE = FETCH_DATA.replace('issue-1', 'issue-2')

test('a link contains no readable value', async () => {
  const [link] = await readLinks(createActionApp())
  const decoded = link!
    .split(/[.=]/)
    .map((part) =>
      atob(
        part
          .replaceAll('-', '+')
          .replaceAll('_', '/')
          .replaceAll(/[^\w+/]/g, ''),
      ),
    )
    .join('')
  for (const value of ['account-1', 'jane@example.com', 'jane', 'issue-1', 'extend-trial']) {
    expect(`${link} ${decoded}`).not.toContain(value)
  }
})

test('each response has its own links', async () => {
  const app = createActionApp()
  const [[one], [two]] = await Promise.all([readLinks(app), readLinks(app)])
  expect(one).not.toBe(two)
})

test('a cached section has fresh links with the IDs of the request', async () => {
  const extendTrial = createExtendTrial()
  const entries: string[] = []
  const memory = memoryStore()
  const store = {
    get: (name: string) => memory.get(name),
    set: (name: string, value: string) => void (entries.push(value), memory.set(name, value, 60)),
  }
  const cache = sectionCache({ name: crypto.randomUUID(), store, ttlSeconds: 60 })
  const app = createActionApp(
    extendTrial,
    {},
    {
      fetchData: () => [
        section('Trial', () => [extendTrial.button({ accountId: 'a' }, { label: 'More "days"' })], {
          cache,
          key: [1],
        }),
      ],
    },
  )
  const env = {}
  const links = [
    await readLinks(app, FETCH_DATA, env),
    await readLinks(app, FETCH_DATA, env),
    await readLinks(app, OTHER_ISSUE, env),
  ].flat()
  expect(new Set(links).size).toBe(3)
  expect(entries.join('')).not.toMatch(/t=ey|billing\.example/)
  expect(await openPage(app, links[2]!, {}, env)).toMatchObject({ outcome: 'shown' })
})

test('a tampered entry of a store outside the process adds no link', async () => {
  const extendTrial = createExtendTrial()
  const entries = new Map<string, string>()
  const store = {
    get: (key: string) => entries.get(key),
    set: (key: string, value: string) => void entries.set(key, value),
  }
  let loads = 0
  const fetchData = () => {
    loads += 1
    return [
      extendTrial.button({ accountId: 'a' }),
      text({ label: 'Note', value: 'sidecard-action:extend-trial' }),
    ]
  }
  const create = () => {
    const cache = sectionCache({ name: 'tampered', store, ttlSeconds: 60 })
    const fetchCached = () => [section('Trial', fetchData, { cache, key: ['a'] })]
    return createActionApp(extendTrial, {}, { fetchData: fetchCached })
  }
  const env = {}
  await readLinks(create(), FETCH_DATA, env)
  const MARK = /sidecard-action:%5B[^"]+/
  await expect.poll(() => [...entries.values()].join('')).toMatch(MARK)
  const [key, stored] = [...entries].find(([, value]) => MARK.test(value))!
  // Another process reads the entry.
  await readLinks(create(), FETCH_DATA, env)
  expect(loads).toBe(1)
  const [mark] = MARK.exec(stored)!
  const forged = [
    stored.replace('"sidecard-action:extend-trial"', `"${mark}"`),
    stored.replace(mark, 'sidecard-action:extend-trial'),
    stored.replace(mark, mark.replace('extend-trial', 'delete-account')),
    stored.replace(mark, 'sidecard-action:not%20json'),
    stored.replace(mark, 'sidecard-action:%'),
    stored.replace(mark, mark + mark),
  ]
  for (const entry of forged) {
    entries.set(key, entry)
    const links = await readLinks(create(), FETCH_DATA, env)
    expect(links).toHaveLength(1)
    expect(links[0]).toMatch(/\?t=ey/)
  }
})

test('no text or URL of a customer becomes a link', async () => {
  const extendTrial = createExtendTrial()
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'sidecard-action:extend-trial',
      `sidecard-action:${encodeURIComponent('["extend-trial",{"accountId":"a"}]')}`,
      '","button_type":"link","url":"sidecard-action:%5B%22extend-trial%22,%7B%7D%5D',
    ),
  )
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (label, value) => {
      const fetchData = () => [
        text({ label, value }),
        card({ header: { title: value }, components: [text({ label: value, value: label })] }),
        extendTrial.button({ accountId: value }, label.trim() === '' ? {} : { label }),
      ]
      const app = createActionApp(extendTrial, {}, { fetchData })
      const response = await send(app, FETCH_DATA)
      expect(response.headers.get('x-sidecard-failure')).toBeNull()
      const json = await response.text()
      expect(json.match(/\?t=ey/g)).toHaveLength(1)
      const [shown, inner] = JSON.parse(json).components
      expect(shown).toEqual({
        type: 'text',
        label: label.toWellFormed() === label ? label : shown.label,
        value: shown.value,
      })
      expect(inner.type).toBe('card')
    }),
    { numRuns: 40 },
  )
})

test.each([
  ['a JSON copy', (button: any) => JSON.parse(JSON.stringify(button))],
  [
    'a URL of the same form',
    () => ({
      type: 'button',
      label: 'x',
      button_type: 'link',
      url: 'sidecard-action:extend-trial',
    }),
  ],
  ['another URL in its place', (button: any) => ({ ...button, url: 'sidecard-action:other' })],
  ['another field', (button: any) => ({ ...button, extra: 1 })],
  ['a URL that is no text', (button: any) => ({ ...button, url: 7 })],
  ['another type', (button: any) => ({ ...button, type: 'link' })],
  ['a label that is no text', (button: any) => ({ ...button, label: 7 })],
  ['another type of button', (button: any) => ({ ...button, button_type: 'email' })],
])('%s is not the button of an action', async (_name, change) => {
  const extendTrial = createExtendTrial()
  const fetchData = () => [change(extendTrial.button({ accountId: 'a' }))]
  const response = await send(createActionApp(extendTrial, {}, { fetchData }), FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('invalid_payload')
  expect(await response.text()).not.toContain('sidecard-action')
})

test('an app without actions rejects their buttons', async () => {
  const app = sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [createExtendTrial().button({ accountId: 'a' })],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('invalid_payload')
})

test('an input that the schema rejects is an error at the call, without its value', () => {
  const extendTrial = createExtendTrial()
  const input = { accountId: 42_424_242 as unknown as string }
  expect(() => extendTrial.button(input)).toThrow(
    'extend-trial.button: the input is invalid at accountId.',
  )
  expect(() => extendTrial.button(input)).not.toThrow('42424242')
  const cycle: any = { accountId: 'a' }
  cycle.self = cycle
  expect(() => extendTrial.button(cycle)).toThrow('extend-trial.button: the input is not JSON.')
})

test.each([
  ['secret', { secret: undefined }, 'set the option secret of actions() to at least 32'],
  ['secret', { secret: { binding: 'ACTION_SECRET' } }, 'set ACTION_SECRET to at least 32'],
  ['secret', { secret: 'too-short' }, 'at least 32 characters'],
  ['publicUrl', { publicUrl: () => undefined }, 'publicUrl of actions() is not an http'],
  ['publicUrl', { publicUrl: () => 'https://a.example/?x=1' }, 'publicUrl'],
  ['publicUrl', { publicUrl: () => new Promise<never>(() => {}) }, 'publicUrl'],
])(
  'without a usable %s, the button leads to a page that says so',
  async (_name, change, problem) => {
    const logger = createRecordingLogger()
    const app = createActionApp(createExtendTrial(), change, { logger })
    const path = `https://app.example${FETCH_DATA}`
    const response = await app.request(path)
    const { components } = await response.json()
    expect(response.headers.get('x-sidecard-failure')).toBeNull()
    expect(components[0].url).toMatch(/\/actions\?unavailable$/)
    expect(JSON.stringify(logger.lines)).toContain(problem)
    const page = await app.request('https://app.example/actions?unavailable')
    expect(page.status).toBe(503)
    expect(await page.text()).toContain('Not available')
  },
)

test('a link that would be too long leads to the same page', async () => {
  const logger = createRecordingLogger()
  const extendTrial = createExtendTrial()
  const fetchData = () => [extendTrial.button({ accountId: 'x'.repeat(1_500) })]
  const app = createActionApp(extendTrial, {}, { fetchData, logger })
  const [link] = await readLinks(app)
  expect(link).toBe(`${PUBLIC_URL}/actions?unavailable`)
  expect(JSON.stringify(logger.lines)).toContain(
    'The input of extend-trial is too long for a link.',
  )
  expect(await openPage(app, link!)).toMatchObject({ status: 503, heading: 'Not available' })
})

test('a host that starts says what is missing', async () => {
  const app = createActionApp(createExtendTrial(), {
    publicUrl: (env) => env['PUBLIC_URL'],
    secret: { binding: 'ACTION_SECRET' },
  })
  const hooks = app.routes.map(({ handler }: any) => handler[Symbol.for('sidecard.setup')])
  const list = async (env: object) =>
    (await Promise.all(hooks.map((hook) => hook?.(env) ?? []))).flat()
  expect(await list({})).toEqual([
    expect.stringContaining('publicUrl of actions() is not an http'),
    expect.stringContaining('ACTION_SECRET'),
  ])
  expect(await list({ PUBLIC_URL, ACTION_SECRET: SECRET })).toEqual([])
})

test('the form outlives a rotation of the secret, and no link outlives two', async () => {
  let secret: string[] = [SECRET]
  const receipts = memoryReceipts()
  const app = createActionApp(createExtendTrial(), { secret: () => secret, receipts })
  const [link] = await readLinks(app)
  const page = await openPage(app, link!)
  secret = ['another-secret-of-more-than-32-characters', SECRET]
  expect(await confirmPage(app, page)).toMatchObject({ outcome: 'done' })
  secret = ['another-secret-of-more-than-32-characters']
  expect(await openPage(app, link!)).toMatchObject({ outcome: 'invalid', status: 400 })
})

test('an option of actions() that is missing or unknown is an error', () => {
  const list = [createExtendTrial()]
  const valid = { list, secret: SECRET, signIn: () => AGENT, receipts: memoryReceipts() }
  expect(() => actions({ ...valid, signIn: undefined } as never)).toThrow('actions: signIn must be')
  expect(() => actions({ ...valid, expireSeconds: 1 } as never)).toThrow(
    'Did you mean expiresSeconds?',
  )
  expect(() => actions({ ...valid, list: [...list, ...list] })).toThrow('different names')
  expect(() => actions({ ...valid, messages: { done: 1 } } as never)).toThrow(
    'messages.done must be',
  )
  expect(() => createActionApp(list[0], {}, { uriSchemes: ['https', 'sidecard-action'] })).toThrow(
    'sidecard: uriSchemes must be',
  )
})
