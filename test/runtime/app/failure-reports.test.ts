import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { card, divider, section, text } from 'sidecard'
import { NotAvailableError } from '../../../src/runtime/app/designed-card.ts'
import {
  FAILURE_COLLECTOR,
  parseErrorDetails,
} from '../../../src/runtime/internal/failure-detail.ts'
import {
  FETCH_DATA,
  createTestApp,
  neverResolves,
  readPayload,
  createRecordingLogger,
} from '../../helpers/app.ts'
import { revokedProxy } from '../../helpers/revoked-proxy.ts'

const DEV = { headers: { 'x-sidecard-dev': '1' } }
const DEV_ENV = { SIDECARD_DEV: '1' }

const throwing = (message: string) => () => {
  throw new Error(message)
}

test('a complete response names no failure, outcome or trace', async () => {
  const { headers } = await createTestApp().request(FETCH_DATA, DEV, DEV_ENV)
  const names = [...headers.keys()].filter((name) => name.startsWith('x-sidecard'))
  expect(names).toEqual(['x-sidecard-instance'])
})

test('lists at most 20 failures and counts the others', async () => {
  const app = createTestApp({
    fetchData: () => Array.from({ length: 25 }, (_, index) => section(`S${index}`, throwing('x'))),
  })
  const header = (await app.request(FETCH_DATA)).headers.get('x-sidecard-failure') ?? ''
  const items = header.split(', ')
  expect(items).toHaveLength(21)
  expect(items.slice(0, 2)).toEqual(['section_failed;component=0', 'section_failed;component=1'])
  expect(items.at(-1)).toBe('more;count=5')
})

test('counts components in the sent payload, not children', async () => {
  const app = createTestApp({
    fetchData: () => [
      null,
      section('Nothing', () => []),
      Promise.resolve([text({ label: 'a', value: '1' }), text({ label: 'b', value: '2' })]),
      section('Broken', throwing('x')),
    ],
  })
  expect((await app.request(FETCH_DATA)).headers.get('x-sidecard-failure')).toBe(
    'section_failed;component=2',
  )
})

test('omits the index if onError returns nothing to show', async () => {
  const app = createTestApp({
    fetchData: () => [section('Broken', throwing('x'))],
    onError: () => [],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('section_failed')
  expect((await readPayload(response)).components).toEqual([])
})

test('names a designed card as an outcome with a trace, not as a failure', async () => {
  const app = createTestApp({
    fetchData: (ctx) => [text({ label: 'a', value: ctx.require('app_id') })],
  })
  const { headers } = await app.request('/?request_type=fetch_data')
  expect(headers.get('x-sidecard-outcome')).toBe('not_available')
  expect(headers.get('x-sidecard-trace')).toMatch(/^[2-9a-z]{12}$/)
  expect(headers.get('x-sidecard-failure')).toBeNull()
})

test('names no outcome while the agent also sees customer data', async () => {
  const app = createTestApp({
    fetchData: (ctx) => [
      text({ label: 'Plan', value: 'Pro' }),
      section('Orders', () => text({ label: 'a', value: ctx.require('app_id') })),
    ],
  })
  const { headers } = await app.request('/?request_type=fetch_data')
  expect(headers.get('x-sidecard-outcome')).toBeNull()
})

test('a subclass of NotAvailableError cannot break the response', async () => {
  class Hostile extends NotAvailableError {
    get outcome(): string {
      return 'a\r\nb'
    }
    get toCard(): never {
      throw new Error('canary')
    }
  }
  const app = createTestApp({
    fetchData: () => {
      throw new Hostile('account_id')
    },
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-outcome')).toBe('not_available')
  expect((await readPayload(response)).components[0].header.title).toBe(
    'Not available for this issue',
  )
})

test('passes each failure with its error to a collector in the bindings', async () => {
  const collect = vi.fn()
  const error = new Error('db down')
  const app = createTestApp({
    fetchData: () => [
      section('Orders', () => Promise.reject(error)),
      section('Usage', () => neverResolves(), { timeoutMs: 5 }),
      Promise.reject(error),
    ],
  })
  const response = await app.request(FETCH_DATA, {}, { [FAILURE_COLLECTOR]: collect })
  const traceId = response.headers.get('x-sidecard-trace')
  expect(collect.mock.calls).toEqual([
    [{ kind: 'section_failed', section: 'Orders', component: 0, stale: false, traceId, error }],
    [expect.objectContaining({ kind: 'section_timeout', section: 'Usage', component: 1, traceId })],
    [{ kind: 'section_failed', component: 2, stale: false, traceId, error }],
  ])
  expect(collect.mock.lastCall?.[0]).not.toHaveProperty('section')
})

test('reports the failures of sections if the whole response fails', async () => {
  const collect = vi.fn()
  const app = createTestApp({
    limits: { maxComponents: 2 },
    fetchData: () => [
      section('Orders', throwing('db down')),
      ...Array.from({ length: 2 }, () => divider()),
    ],
  })
  await app.request(FETCH_DATA, {}, { [FAILURE_COLLECTOR]: collect })
  expect(new Set(collect.mock.calls.map(([{ kind }]) => kind))).toEqual(
    new Set(['payload_too_large', 'section_failed']),
  )
})

test('logs the message, the stack, the section and the trace ID in one line', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({ logger, fetchData: () => [section('Orders', throwing('db down'))] })
  const { headers } = await app.request(FETCH_DATA)
  expect(logger.lines).toMatchObject([
    {
      level: 'error',
      fields: {
        outcome: 'section_failed',
        traceId: headers.get('x-sidecard-trace'),
        failures: [
          {
            section: 'Orders',
            name: 'Error',
            message: 'db down',
            stack: expect.stringContaining('failure-reports.test'),
          },
        ],
      },
    },
  ])
})

const unreachable = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
const cyclic = new Error('a')
cyclic.cause = cyclic
const unreadable = new Error('x')
Object.defineProperty(unreadable, 'cause', { get: throwing('y') })

test.each<[string, unknown, string]>([
  ['an error', new Error('no plan', { cause: new Error('db down') }), 'no plan (cause: db down)'],
  ['a chain', new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'a (cause: b (cause: c))'],
  [
    'a failed connection',
    new TypeError('fetch failed', { cause: unreachable }),
    'fetch failed (cause: ECONNREFUSED)',
  ],
  ['a cycle', cyclic, 'a (cause: a (cause: a (cause: a)))'],
  ['a getter that throws', unreadable, 'x'],
  ['an object', new Error('x', { cause: { status: 500 } }), 'x'],
])('the message names the cause if it is %s', async (_, error, message) => {
  const logger = createRecordingLogger()
  const app = createTestApp({ logger, fetchData: () => Promise.reject(error) })
  const { headers } = await app.request(FETCH_DATA, DEV, DEV_ENV)
  expect(logger.lines[0]?.fields['failures']).toMatchObject([{ message }])
  expect(parseErrorDetails(headers.get('x-sidecard-error'))).toMatchObject([{ error: { message } }])
})

const manyFields = z.object(
  Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, z.string()])),
)

test('the error of another schema library keeps its message and its place', async () => {
  const app = createTestApp({ fetchData: () => manyFields.parse({}) as never })
  const { headers } = await app.request(FETCH_DATA, DEV, DEV_ENV)
  const [detail] = parseErrorDetails(headers.get('x-sidecard-error'))
  expect(detail).toMatchObject({
    kind: 'callback_failed',
    error: {
      name: 'ZodError',
      message: expect.stringContaining('expected string'),
      stack: expect.stringMatching(/^ZodError: [\s\S]*\n +at .*fetchData/),
    },
  })
  expect(detail?.error.issues).toBeUndefined()
})

test.each<[string, unknown]>([
  ['null', [null]],
  ['text', ['a']],
  ['a part of an issue', [{ path: 'a', code: 'invalid_type' }]],
  ['getters that throw', [Object.defineProperty({}, 'path', { get: throwing('y') })]],
  ['a revoked proxy', revokedProxy([])],
])('an error whose issues are %s is logged without them', async (_, issues) => {
  for (const logErrors of ['full', 'name'] as const) {
    const logger = createRecordingLogger()
    const error = Object.assign(new Error('x'), { issues })
    const app = createTestApp({ logger, logErrors, fetchData: () => Promise.reject(error) })
    const { status, headers } = await app.request(FETCH_DATA, DEV, DEV_ENV)
    expect([status, headers.get('x-sidecard-failure')]).toEqual([200, 'callback_failed'])
    expect(logger.lines[0]?.fields['failures']).toMatchObject([
      { name: 'Error', issues: undefined },
    ])
    expect(parseErrorDetails(headers.get('x-sidecard-error'))).toHaveLength(1)
  }
})

test('logs only names with logErrors: name', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({
    logger,
    logErrors: 'name',
    fetchData: () => [
      section('Orders', throwing('canary')),
      section('Odd', () => [{ type: 'divider', 'canary customer': 1 }] as never),
    ],
  })
  await app.request(FETCH_DATA)
  expect(JSON.stringify(logger.lines)).not.toContain('canary')
  expect(logger.lines[0]?.fields['failures']).toMatchObject([
    { name: 'Error' },
    { name: 'PayloadError' },
  ])
})

test('passes the failed section to onError, and shows its children there', async () => {
  const onError = vi.fn(() => [
    card({ components: [text({ label: 'Orders', value: 'are down' })] }),
  ])
  const app = createTestApp({
    onError,
    fetchData: () => [
      section('Orders', throwing('x')),
      section('Usage', () => neverResolves(), { timeoutMs: 5 }),
      text({ label: 'Plan', value: 'Pro' }),
    ],
  })
  const { components } = await readPayload(await app.request(FETCH_DATA))
  expect(onError.mock.calls.map((call) => (call as unknown[])[2])).toEqual([
    { kind: 'section_failed', section: 'Orders' },
    { kind: 'section_timeout', section: 'Usage' },
  ])
  expect(components.map(({ type }: any) => type)).toEqual(['card', 'card', 'text'])
  expect(components[0].components[0].value).toBe('are down')
})

test('an abort by the caller is not an error', async () => {
  const logger = createRecordingLogger()
  const onError = vi.fn()
  const caller = new AbortController()
  const started = Promise.withResolvers<void>()
  const app = createTestApp({
    logger,
    onError,
    fetchData: async (ctx) => {
      started.resolve()
      await new Promise((_, reject) => {
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))
      })
      return []
    },
  })
  const pending = app.request(FETCH_DATA, { signal: caller.signal })
  await started.promise
  caller.abort()
  await pending
  expect(onError).not.toHaveBeenCalled()
  expect(logger.lines).toMatchObject([{ level: 'info', fields: { outcome: 'aborted' } }])
})

test('errors: status responds with 500 or 504 for a failed section', async () => {
  const status = async (load: () => any) => {
    const app = createTestApp({
      errors: 'status',
      fetchData: () => [section('Orders', load, { timeoutMs: 5 })],
    })
    const response = await app.request(FETCH_DATA)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    return response.status
  }
  expect(await status(throwing('x'))).toBe(500)
  expect(await status(neverResolves)).toBe(504)
})

test('messages replace every text of the failure cards', async () => {
  const app = createTestApp({
    messages: {
      unavailable: 'Nicht verfügbar',
      failed: 'Fehler',
      timedOut: 'Zu langsam',
      traceId: 'Kennung',
      notAvailable: 'Fehlt',
      reason: 'Grund',
      missingId: (name) => `Ohne ${name}`,
      ids: { app_id: 'App-Nummer' },
    },
    fetchData: (ctx) => [
      section('A', throwing('x')),
      section('B', () => neverResolves(), { timeoutMs: 5 }),
      section('C', () => text({ label: 'x', value: ctx.require('app_id') })),
    ],
  })
  const { components } = await readPayload(await app.request('/?request_type=fetch_data'))
  const texts = components.flatMap((one: any) =>
    one.components.map(({ label, value }: any) => [label, value]),
  )
  expect(texts).toEqual([
    ['Nicht verfügbar', 'Fehler'],
    ['Kennung', expect.any(String)],
    ['Nicht verfügbar', 'Zu langsam'],
    ['Kennung', expect.any(String)],
    ['Grund', 'Ohne App-Nummer'],
  ])
})

test('a designed card next to a section without content is the outcome', async () => {
  const app = createTestApp({
    fetchData: (ctx) => [
      Promise.resolve(null),
      section('Account', () => text({ label: 'ID', value: ctx.require('account_id') })),
      section('Empty', () => null),
    ],
  })
  const response = await app.request('/?request_type=fetch_data')
  expect(response.headers.get('x-sidecard-outcome')).toBe('not_available')
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
})

test('a designed card before customer data is not the outcome', async () => {
  const app = createTestApp({
    fetchData: (ctx) => [
      section('Account', () => text({ label: 'ID', value: ctx.require('account_id') })),
      text({ label: 'Plan', value: 'Pro' }),
    ],
  })
  const response = await app.request('/?request_type=fetch_data')
  expect(response.headers.get('x-sidecard-outcome')).toBeNull()
})

test('the path of an invalid component is its place in the list', async () => {
  const onError = vi.fn<(error: any) => void>()
  const wrong = { type: 'text', label: 'x' } as never
  const ok = text({ label: 'a', value: 'b' })
  await createTestApp({ onError, fetchData: () => [ok, [ok, null] as never, wrong] }).request(
    FETCH_DATA,
  )
  expect(onError.mock.lastCall?.[0].issues).toMatchObject([{ path: 'components[2].value' }])
  const fetchData = () => [ok, section('S', () => [ok, ok]), Promise.resolve([ok, ok]), wrong]
  await createTestApp({ onError, fetchData }).request(FETCH_DATA)
  expect(onError.mock.lastCall?.[0].issues).toMatchObject([{ path: 'components[3].value' }])
})

test('an unknown field is logged without its name with logErrors: name', async () => {
  const logger = createRecordingLogger()
  const fetchData = () =>
    ({ version: '1.0.0', header: { title: 'a' }, components: [], jane_doe: 1 }) as never
  await createTestApp({ logger, logErrors: 'name', fetchData }).request(FETCH_DATA)
  expect(logger.lines).toMatchObject([
    { fields: { failures: [{ issues: [{ code: 'unknown_field', path: '' }] }] } },
  ])
  expect(JSON.stringify(logger.lines)).not.toContain('jane_doe')
})

test('a result whose fields cannot be read is an invalid payload', async () => {
  const trap = { get: throwing('trap') }
  const fetchData = () => Object.defineProperties({}, { type: trap, components: trap }) as never
  const response = await createTestApp({ fetchData }).request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('invalid_payload')
})

test('the signal of a request that is over before fetchData reads it is aborted', async () => {
  const reason = new Error('gone')
  let signal: AbortSignal | undefined
  const app = createTestApp({ fetchData: (ctx) => ((signal = ctx.signal), []) })
  await app.request(FETCH_DATA, { signal: AbortSignal.abort(reason) })
  expect([signal?.aborted, signal?.reason]).toEqual([true, reason])
})
