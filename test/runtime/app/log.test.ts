import { afterEach, expect, test, vi } from 'vitest'
import { createTestApp, FETCH_DATA } from '../../helpers/app.ts'

afterEach(() => void vi.restoreAllMocks())

/** Returns the line that `ctx.log.warn('hello', fields)` writes to the console. */
async function logLine(fields: any): Promise<any> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const app = createTestApp({
    logger: undefined,
    fetchData: (ctx) => (ctx.log.warn('hello', fields), []),
  })
  await app.request(FETCH_DATA)
  expect(warn).toHaveBeenCalledTimes(1)
  return JSON.parse(warn.mock.calls[0]![0] as string)
}

const throwing = () => {
  throw new Error('canary')
}
const cyclic: any = { id: 1 }
cyclic.self = cyclic
const shared = { a: 1 }
const invalidDate = new Date(NaN)

test('an error has its name, message, stack, cause and own fields', async () => {
  const cause = new RangeError('no seats left')
  const error = Object.assign(new TypeError('stripe failed', { cause }), { code: 'E_STRIPE' })
  expect(await logLine({ error })).toMatchObject({
    level: 'warn',
    msg: 'hello',
    app: 'Test',
    error: {
      name: 'TypeError',
      message: 'stripe failed',
      stack: expect.stringContaining('log.test.ts'),
      code: 'E_STRIPE',
      cause: { name: 'RangeError', message: 'no seats left' },
    },
  })
})

test('an error instead of fields is not lost', async () => {
  expect(await logLine(new Error('stripe failed'))).toMatchObject({
    msg: 'hello',
    message: 'stripe failed',
  })
})

test.each<[string, any, any]>([
  ['a bigint', 10n, '10'],
  ['NaN', NaN, 'NaN'],
  ['an infinity', -Infinity, '-Infinity'],
  ['a symbol', Symbol('s'), 'Symbol(s)'],
  ['a function', () => 1, '[function]'],
  ['a map', new Map([['a', new Map([[1, 2n]])]]), { a: { 1: '2' } }],
  ['a set', new Set([1, 'b']), [1, 'b']],
  ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['an invalid Date', invalidDate, 'Invalid Date'],
  ['a URL', new URL('https://a.example/b'), 'https://a.example/b'],
  ['a buffer', new Uint8Array(5_000_000), '[5000000 bytes]'],
  ['a cyclic object', cyclic, { id: 1, self: '[circular]' }],
  ['an object that occurs twice', [shared, shared], [{ a: 1 }, { a: 1 }]],
  [
    'a getter that throws',
    Object.defineProperty({}, 'a', { get: throwing, enumerable: true }),
    '[unreadable]',
  ],
  ['a toJSON() that throws', { toJSON: throwing }, '[unreadable]'],
  ['a revoked proxy', revoked(), '[unreadable]'],
  ['null', null, null],
])('%s is readable', async (_name, value, shown) => {
  expect((await logLine({ value })).value).toEqual(shown)
})

test('a promise is named, and its rejection is handled', async () => {
  const line = await logLine({ value: Promise.reject(new Error('x')) })
  expect(line.value).toBe('[promise]')
})

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

test('the fields of the line itself cannot be overwritten, and nothing is lost', async () => {
  const line = await logLine({ level: 'debug', msg: 'OTHER', traceId: 'spoof', app: 'x', rows: 3 })
  expect(line).toMatchObject({
    level: 'warn',
    msg: 'hello',
    app: 'Test',
    rows: 3,
    fields: { level: 'debug', msg: 'OTHER', traceId: 'spoof', app: 'x' },
  })
  expect(line.traceId).toMatch(/^[a-z\d]{12}$/)
})

test.each<[string, any]>([
  ['twenty thousand levels', () => Array.from({ length: 20_000 }).reduce<any>((a) => [a], 0)],
  ['a million entries', () => Array.from({ length: 1_000_000 }, (_, i) => i)],
  ['a string of 50 MB', () => 'x'.repeat(50_000_000)],
  [
    'arrays that contain each other',
    () => Array.from({ length: 60 }).reduce<any>((a) => [a, a], 0),
  ],
])('%s results in a short line', async (_name, create) => {
  const line = await logLine({ value: create() })
  expect(line.msg).toBe('hello')
  expect(JSON.stringify(line).length).toBeLessThan(100_000)
})

test.each([
  [undefined, undefined],
  [null, null],
  [7, 7],
  ['text', 'text'],
  [() => 1, '[function]'],
])('fields that are %s do not lose the line', async (fields, shown) => {
  const line = await logLine(fields)
  expect(line).toMatchObject({ msg: 'hello', app: 'Test' })
  expect(line.fields).toEqual(shown === undefined ? undefined : { fields: shown })
  const others = shown === undefined ? [] : ['fields']
  expect(Object.keys(line)).toEqual(['level', 'msg', 'app', 'traceId', ...others])
})

test.each([
  [8, false],
  [9, true],
])('a line has at most 1,000 objects: %d more than 992', async (more, isTruncated) => {
  const objects = (count: number) => Array.from({ length: count }, () => ({}))
  const value = [...Array.from({ length: 99 }, () => objects(9)), objects(more)]
  expect(JSON.stringify(await logLine({ value })).includes('[truncated]')).toBe(isTruncated)
})

test('an object with a length is no list', async () => {
  expect((await logLine({ value: { length: 500 } })).value).toEqual({ length: 500 })
})

test('a value that does not fit is cut off, and nothing follows it', async () => {
  const line = await logLine({ text: 'é'.repeat(32_000), more: 1 })
  expect(line.text).toMatch(/^"é{20000,}…$/)
  expect(line).not.toHaveProperty('more')
})

test('an object of 30 levels shows the first 16, and a text its first 32,768 characters', async () => {
  const deep = Array.from({ length: 30 }).reduce<any>((inner) => ({ inner }), 'end')
  const { deep: shown, long } = await logLine({ deep, long: 'x'.repeat(32_769) })
  const levels = JSON.stringify(shown).split('inner').length - 1
  expect(JSON.stringify(shown)).toContain('[truncated]')
  expect(levels).toBe(17)
  expect(long).toBe(`${'x'.repeat(32_768)}…`)
})

test('a text of 32,768 characters is shown', async () => {
  expect((await logLine({ whole: 'x'.repeat(32_768) })).whole).toBe('x'.repeat(32_768))
})

const LONG = 'é"\\\n\u0000'.repeat(5_000)

const SECRETS = { SIDECARD_SECRET: 'canary-secret', DATABASE_URL: 'postgres://u:canary-secret@db' }

test.each<[string, (ctx: any) => unknown]>([
  ['the context', (ctx) => ctx],
  ['the context in a field', (ctx) => ({ ctx })],
  ['a copy of the context', (ctx) => ({ deep: [{ ...ctx }] })],
  ['the bindings', ({ env }) => ({ env, list: [env] })],
  ['the raw bindings', ({ c }) => ({ raw: c.env })],
  ['a copy of the bindings', ({ env }) => ({ ...env })],
  ['a copy of the bindings in a field', ({ env }) => ({ deep: [{ env: { ...env } }] })],
  ['a map of the raw bindings', ({ c }) => ({ map: new Map(Object.entries(c.env)) })],
  ['an error with a copy', ({ env }) => Object.assign(new Error('down'), { ...env })],
  ["Hono's context", ({ c }) => ({ c })],
  ['an error with the bindings', ({ env }) => Object.assign(new Error('down'), { env })],
])('a line with %s contains no binding', async (_, fields) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const app = createTestApp<typeof SECRETS>({
    logger: undefined,
    fetchData: (ctx) => (ctx.log.warn('hello', fields(ctx) as never), []),
  })
  await app.request(FETCH_DATA, {}, SECRETS)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]![0]).not.toContain('canary')
  expect(warn.mock.calls[0]![0]).toContain('hello')
})

test('a message has at most 10,000 characters', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const app = createTestApp({
    logger: undefined,
    fetchData: (ctx) => (ctx.log.warn('é'.repeat(100_000), { a: LONG }), []),
  })
  await app.request(FETCH_DATA)
  const [line] = warn.mock.calls[0] as [string]
  expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(64_000)
})

test('a binding that is logged under a different name is shown', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const app = createTestApp<{ REGION: string }>({
    logger: undefined,
    fetchData: ({ env, log }) => (log.warn('hello', { region: env.REGION }), []),
  })
  await app.request(FETCH_DATA, {}, { REGION: 'eu' })
  expect(warn.mock.calls[0]![0]).toContain('"region":"eu"')
})

test('a field that is called env is logged', async () => {
  expect(await logLine({ env: 'production', c: 1 })).toMatchObject({ env: 'production', c: 1 })
})

test.each<[string, unknown]>([
  ['numbers', { list: new Set(Array.from({ length: 200_000 }, (_, n) => n)), more: 1 }],
  [
    'a record of numbers',
    { record: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [n, n])) },
  ],
  [
    'lists of lists',
    { list: Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => LONG)) },
  ],
  ['long texts', Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, LONG]))],
  ['many fields', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, n]))],
  ['long names', Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}${LONG}`, n]))],
])('a line with %s has at most 64 kB', async (_, fields) => {
  const line = await logLine(fields)
  expect(new TextEncoder().encode(JSON.stringify(line)).length).toBeLessThanOrEqual(64_000)
  expect(line.msg).toBe('hello')
})

test('an error without a message is described by its inner errors', async () => {
  const unreachable = (address: string) => new Error(`connect ECONNREFUSED ${address}`)
  const error = new AggregateError([unreachable('::1:5432'), unreachable('127.0.0.1:5432')], '')
  const message = 'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432'
  const coded = Object.assign(new Error(''), { code: 'ECONNREFUSED' })
  const line = await logLine({ error, coded })
  expect([line.error.message, line.coded.message]).toEqual([message, 'ECONNREFUSED'])
})

test('the line of a failure describes an error without a message by its inner errors', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const app = createTestApp({
    logger: undefined,
    fetchData: () => Promise.reject(new AggregateError([new Error('down'), 'late'], '')),
  })
  await app.request(FETCH_DATA)
  const { failures } = JSON.parse(error.mock.calls[0]![0] as string)
  expect(failures[0].message).toBe('down; late')
})

test.each([
  ['a list', (count: number) => Array.from({ length: count }, (_, n) => n)],
  ['a set', (count: number) => new Set(Array.from({ length: count }, (_, n) => n))],
  ['a map', (count: number) => new Map(Array.from({ length: count }, (_, n) => [`k${n}`, n]))],
])('%s shows its first 100 items', async (name, create) => {
  const line = await logLine({ whole: create(100), long: create(101) })
  const items = (value: object) => Object.values(value)
  expect(items(line.whole)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  expect(items(line.long).slice(0, 100)).toEqual(items(line.whole))
  expect(items(line.long).slice(100)).toEqual(name === 'a map' ? [] : ['[truncated]'])
})
