import { expect, test, vi } from 'vitest'
import { divider, section, sidecard, secretHeader, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { createGate, uniqueName } from '../../helpers/cache.ts'
import { eventually } from '../../helpers/eventually.ts'
import { createRecordingLogger, createTestApp, FETCH_DATA, readPayload } from '../../helpers/app.ts'

const ENV = { SIDECARD_DEV: '1' }

const encode = (json: string) =>
  btoa(Array.from(new TextEncoder().encode(json), (byte) => String.fromCharCode(byte)).join(''))

const withHeader = (value: string) => ({
  headers: { 'x-sidecard-dev': '1', 'x-sidecard-sections': value },
})
const under = (conditions: unknown) => withHeader(encode(JSON.stringify(conditions)))

const readReport = ({ headers }: Response): unknown => {
  const value = headers.get('x-sidecard-sections-applied')
  if (value === null) return undefined
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** An app with two sections that count how often their source is called. */
function createApp(options = {}) {
  const calls: string[] = []
  const load = (title: string) => () => {
    calls.push(title)
    return [text({ label: title, value: 'fresh' })]
  }
  const app = createTestApp({
    fetchData: () => [
      section('Orders', load('Orders')),
      section('Rechnungen €', load('Rechnungen')),
    ],
    ...options,
  })
  const open = (init?: RequestInit, env = ENV as object) => app.request(FETCH_DATA, init, env)
  return { calls, open }
}

test.each([
  ['failed', 'section_failed;component=0', ['Orders', 'Rechnungen €'], 'could not be loaded'],
  ['timeout', 'section_timeout;component=0', ['Orders', 'Rechnungen €'], 'took too long'],
  ['empty', null, ['Rechnungen €'], 'fresh'],
])('settles a section as %s without its source', async (condition, failure, titles, shown) => {
  const { calls, open } = createApp()
  const response = await open(under({ Orders: condition }))
  expect(response.headers.get('x-sidecard-failure')).toBe(failure)
  expect(calls).toEqual(['Rechnungen'])
  expect(readReport(response)).toEqual({
    applied: ['Orders'],
    sections: ['Orders', 'Rechnungen €'],
  })
  const { components } = await readPayload(response)
  expect(components.map(({ header }: { header: { title: string } }) => header.title)).toEqual(
    titles,
  )
  expect(JSON.stringify(components[0])).toContain(shown)
})

test('applies conditions to titles in any language, and reports a title that no section has', async () => {
  const { calls, open } = createApp()
  const response = await open(under({ 'Rechnungen €': 'empty', Order: 'failed' }))
  expect(calls).toEqual(['Orders'])
  expect(readReport(response)).toEqual({
    applied: ['Rechnungen €'],
    sections: ['Orders', 'Rechnungen €'],
  })
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
})

test('finds the title of a section that is named like a property of every object', async () => {
  let calls = 0
  const load = () => [text({ label: 'n', value: String((calls += 1)) })]
  const { open } = createApp({
    fetchData: () => ['constructor', '__proto__'].map((title) => section(title, load)),
  })
  expect(readReport(await open(under({ Orders: 'empty' })))).toMatchObject({ applied: [] })
  expect(calls).toBe(2)
  const response = await open(withHeader(encode('{"__proto__":"empty"}')))
  expect(readReport(response)).toMatchObject({ applied: ['__proto__'] })
  expect(calls).toBe(3)
})

test.each([
  ['the request has no x-sidecard-dev', { headers: { 'x-sidecard-sections': '' } }, ENV],
  ['the app is not in development', under({ Orders: 'failed' }), {}],
  ['the variable has another value', under({ Orders: 'failed' }), { SIDECARD_DEV: 'true' }],
])('ignores conditions if %s', async (_, init, env) => {
  const { calls, open } = createApp()
  const headers = new Headers(init.headers)
  headers.set('x-sidecard-sections', under({ Orders: 'failed' }).headers['x-sidecard-sections'])
  const response = await open({ headers }, env)
  expect(response.headers.get('x-sidecard-sections-applied')).toBeNull()
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
  expect(calls).toEqual(['Orders', 'Rechnungen'])
})

test('reports nothing for a request without conditions', async () => {
  const { open } = createApp()
  const response = await open({ headers: { 'x-sidecard-dev': '1' } })
  expect(response.headers.get('x-sidecard-sections-applied')).toBeNull()
})

test.each([
  ['no base64', '{"Orders":"failed"}'],
  ['base64 of something else', encode('Orders')],
  ['bytes that are not UTF-8', btoa('"\xff"')],
  ['a list', encode('["failed"]')],
  ['null', encode('null')],
  ['an unknown condition', encode('{"Orders":"slow"}')],
  ['a condition that is an object', encode('{"Orders":{"failed":true}}')],
  ['nothing', ''],
  ['more than 4 KiB', encode(JSON.stringify({ ['x'.repeat(4_000)]: 'failed' }))],
])('rejects conditions that are %s, and calls no source', async (_, value) => {
  const onError = vi.fn()
  const { calls, open } = createApp({
    onError,
  })
  const response = await open(withHeader(value))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'invalid_sections' })
  expect(calls).toEqual([])
  expect(onError).not.toHaveBeenCalled()
})

test('rejects an unauthenticated caller before it reads the conditions', async () => {
  const app = sidecard<Record<string, string>>({
    header: { title: 'Test' },
    auth: secretHeader('x-secret', 'right'),
    logger: false,
    fetchData: () => [section('Orders', () => [divider()])],
  })
  expect((await app.request(FETCH_DATA, withHeader('broken'), ENV)).status).toBe(401)
})

test('logs and reports a section that fails by its condition like any other', async () => {
  const logger = createRecordingLogger()
  const reported: unknown[] = []
  const { open } = createApp({
    logger,
    onError: (error: Error, _: unknown, info: object) => void reported.push([error.message, info]),
  })
  await open(under({ Orders: 'failed' }))
  const message = 'You asked for Orders to fail.'
  expect(reported).toEqual([[message, { kind: 'section_failed', section: 'Orders' }]])
  expect(logger.lines[0]).toMatchObject({
    level: 'error',
    fields: { failures: [{ kind: 'section_failed', section: 'Orders', message }] },
  })
})

test('a section of a request with conditions neither joins nor starts a shared call', async () => {
  const cache = sectionCache({ name: uniqueName(), store: memoryStore(), ttlSeconds: 60 })
  const gate = createGate()
  let calls = 0
  const load = async () => {
    const call = String((calls += 1))
    await gate.opened
    return text({ label: 'Call', value: call })
  }
  const { open } = createApp({ fetchData: () => [section('Orders', load, { cache, key: ['a'] })] })
  const inits = [under({}), undefined, under({ Other: 'failed' }), undefined, under({})]
  const opening = inits.map((init) => open(init))
  await eventually(() => expect(calls).toBe(4))
  gate.open()
  const shown = await Promise.all(opening.map(async (each) => (await each).text()))
  expect([new Set(shown).size, shown[1] === shown[3], calls]).toEqual([4, true, 4])
})

test('reports at most 4 KiB of titles', async () => {
  const { open } = createApp({
    fetchData: () =>
      Array.from({ length: 100 }, (_, index) => section(`${index} ${'é'.repeat(100)}`, () => [])),
  })
  const response = await open(under({ Orders: 'failed' }))
  expect(response.headers.get('x-sidecard-sections-applied')!.length).toBeLessThanOrEqual(4_096)
  expect(readReport(response)).toMatchObject({ applied: [] })
})
