import { card, section, text } from 'sidecard'
import { sectionCache } from 'sidecard/cache'
import fc from 'fast-check'
import { base64url } from 'jose'
import { expect, test, vi } from 'vitest'
import {
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
  send,
} from '../../helpers/actions.ts'
import { createRecordingLogger, createTestApp, FETCH_DATA } from '../../helpers/app.ts'
import { createMapStore } from '../../helpers/cache.ts'

const other = createExtendTrial({ name: 'other' })
const LINK = { type: 'button', label: 'x', button_type: 'link' }
const OTHER_ISSUE = FETCH_DATA.replace('issue-1', 'issue-2')

test('a link contains no readable value', async () => {
  const [link] = await readLinks(createActionApp())
  const parts = link!.split(/[.=]/).map((part) => part.replaceAll(/[^\w-]/g, ''))
  const decoded = parts.map((part) => new TextDecoder().decode(base64url.decode(part))).join('')
  for (const value of ['account-1', 'jane@example.com', 'jane', 'issue-1', 'extend-trial']) {
    expect(`${link} ${decoded}`).not.toContain(value)
  }
})

test('a cached section has fresh links with the IDs of the request', async () => {
  const extendTrial = createExtendTrial()
  const store = createMapStore()
  const cache = sectionCache({ name: crypto.randomUUID(), store, ttlSeconds: 60 })
  const load = () => [extendTrial.button({ accountId: 'a' }, { label: 'More "days"' })]
  const fetchData = () => [section('Trial', load, { cache, key: [1] })]
  const app = createActionApp(extendTrial, {}, { fetchData })
  const env = {}
  const links = [
    await readLinks(app, FETCH_DATA, env),
    await readLinks(app, FETCH_DATA, env),
    await readLinks(app, OTHER_ISSUE, env),
  ].flat()
  expect(new Set(links).size).toBe(3)
  expect(String([...store.values.values()])).not.toMatch(/t=ey|billing\.example/)
  expect(await openPage(app, links[2]!, {}, env)).toMatchObject({ outcome: 'shown' })
})

test('a tampered entry of a store outside the process adds no link', async () => {
  const extendTrial = createExtendTrial()
  const store = createMapStore()
  const entries = store.values
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

const ADD = 'Add the action to the list of actions().'
const FOREIGN = 'belongs to an action of another app'
const COPY = 'was not created by button() of an action'
const RETURN = 'Return the button itself: a JSON copy has lost its input.'

test.each<[string, (button: any) => unknown, (string | undefined)?, string?]>([
  ['lost its input', (button) => JSON.parse(JSON.stringify(button)), COPY, RETURN],
  ['is an action of a different app', () => other.button({ accountId: 'a' }), FOREIGN, ADD],
  ['has a number as its URL', (one) => ({ ...one, url: 7 }), 'must be a URI, got a number'],
  ['was written by hand', () => ({ ...LINK, url: 'sidecard-action:extend-trial' })],
  ['has a different URL', (button) => ({ ...button, url: 'sidecard-action:other' })],
  ['has a further property', (button) => ({ ...button, extra: 1 })],
  ['has a different type', (button) => ({ ...button, type: 'link' })],
  ['has a number as its label', (button) => ({ ...button, label: 7 })],
  ['has a different type of button', (button) => ({ ...button, button_type: 'email' })],
])('a button that %s is not shown, and is reported', async (_name, change, message, fix) => {
  const extendTrial = createExtendTrial()
  const logger = createRecordingLogger()
  const onError = vi.fn()
  const fetchData = () => [change(extendTrial.button({ accountId: 'a' })) as never]
  const app = createActionApp(extendTrial, {}, { fetchData, logger, onError })
  const response = await send(app, FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('invalid_payload')
  expect(await response.text()).not.toContain('sidecard-action')
  const [issue] = onError.mock.calls[0]![0].issues
  expect([issue.message, issue.fix]).toEqual([message ?? issue.message, fix ?? issue.fix])
  const shown = JSON.stringify(`${issue.message}. ${issue.fix}`).slice(1, -1)
  expect(JSON.stringify(logger.lines)).toContain(shown)
})

test('an app without actions rejects their buttons', async () => {
  const app = createTestApp({ fetchData: () => [createExtendTrial().button({ accountId: 'a' })] })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('invalid_payload')
})
