import { Hono } from 'hono'
import { findTargetHandler } from 'hono/utils/handler'
import { expect, test, vi } from 'vitest'
import { audit, healthCheck, secretHeader, section, serverTiming, text } from 'sidecard'
import type { ActionRecord } from '../../../src/runtime/app/observe/instrument.ts'
import { SETUP_PROBLEMS } from '../../../src/runtime/internal/setup.ts'
import {
  FETCH_DATA,
  createTestApp,
  neverResolves,
  createRecordingLogger,
} from '../../helpers/app.ts'
import { eventually } from '../../helpers/eventually.ts'

const DEV = { headers: { 'x-sidecard-dev': '1' } }

function timedApp(options?: Parameters<typeof serverTiming>[0]) {
  return createTestApp({
    instrument: serverTiming(options),
    logger: false,
    fetchData: () => [
      section('Naïve "orders"\r\n', () => text({ label: 'a', value: 'b' })),
      section('Broken', () => Promise.reject(new Error('x'))),
    ],
  })
}

test('adds Server-Timing for developers only', async () => {
  const app = timedApp()
  expect((await app.request(FETCH_DATA)).headers.get('server-timing')).toBeNull()
  const { headers } = await app.request(FETCH_DATA, DEV, { SIDECARD_DEV: '1' })
  const entries = headers.get('server-timing')?.split(', ') ?? []
  expect(entries[0]).toMatch(/^fetchData;start=\d+;dur=\d+$/)
  expect(entries).toContainEqual(
    expect.stringMatching(/^section;desc="Na\?ve \\"orders\\"\?\?";start=/),
  )
  expect(entries).toContainEqual(expect.stringMatching(/^section;desc="Broken";.*;failed$/))
  expect(entries.at(-1)).toMatch(/^total;dur=\d+$/)
})

test('Server-Timing lists the first 40 spans in the order of their start, with short titles', async () => {
  const app = createTestApp({
    instrument: serverTiming({ always: true }),
    fetchData: () =>
      Array.from({ length: 50 }, (_, index) => section(`${index} ${'x'.repeat(99)}`, () => null)),
  })
  const { headers } = await app.request(FETCH_DATA)
  const entries = headers.get('server-timing')?.split(', ') ?? []
  expect(entries).toHaveLength(41)
  const starts = entries.slice(0, -1).map((entry) => Number(/;start=(\d+)/.exec(entry)?.[1]))
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  expect(entries[1]).toMatch(/^section;desc="\d+ x{57,58}";start=/)
})

test('a health check names the methods that it accepts', async () => {
  const response = await healthCheck({ sources: {} }).request('/', { method: 'POST' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('adds Server-Timing to every response with always', async () => {
  const { headers } = await timedApp({ always: true }).request(FETCH_DATA)
  expect(headers.get('server-timing')).toContain('total;dur=')
})

test('writes an audit record with IDs and section titles, without payload values', async () => {
  const write = vi.fn()
  const app = createTestApp({
    instrument: audit(write),
    fetchData: () => [section('Orders', () => text({ label: 'Last', value: 'canary' }))],
  })
  await app.request(FETCH_DATA)
  expect(write).toHaveBeenCalledExactlyOnceWith({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    traceId: expect.stringMatching(/^[2-9a-z]{12}$/),
    params: expect.objectContaining({ issue_id: 'issue-1', requester_email: 'jane@example.com' }),
    via: undefined,
    unmatched: [],
    sections: ['Orders'],
    status: 200,
    outcome: undefined,
    failures: [],
  })
})

test('an unavailable audit log is logged and does not affect responses', async () => {
  const logger = createRecordingLogger()
  const instrument = audit(() => Promise.reject(new Error('audit log down')))
  expect((await createTestApp({ instrument, logger }).request(FETCH_DATA)).status).toBe(200)
  await eventually(() => expect(JSON.stringify(logger.lines)).toContain('audit log down'))
})

test('a health check returns 200 if all sources are usable', async () => {
  const server = new Hono().route(
    '/health',
    healthCheck({ sources: { database: () => 1, api: async () => true } }),
  )
  const response = await server.request('/health')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({ status: 'ok', sources: { database: 'ok', api: 'ok' } })
  expect((await server.request('/health', { method: 'HEAD' })).status).toBe(200)
  expect((await server.request('/health', { method: 'POST' })).status).toBe(405)
})

test('a health check names the sources that fail or hang, without their errors', async () => {
  const logger = createRecordingLogger()
  const app = healthCheck({
    timeoutMs: 20,
    logger,
    sources: {
      throws: () => {
        throw new Error('canary')
      },
      rejects: () => Promise.reject(new Error('canary')),
      hangs: () => neverResolves(),
      fine: () => undefined,
    },
  })
  const response = await app.request('/')
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({
    status: 'failing',
    sources: { throws: 'failing', rejects: 'failing', hangs: 'timeout', fine: 'ok' },
  })
  expect(logger.lines).toEqual(
    ['throws', 'rejects', 'hangs'].map((source) => ({
      level: 'error',
      fields: { msg: 'sidecard health check', source, error: expect.any(Object) },
    })),
  )
  expect(JSON.stringify(logger.lines)).toContain('canary')
})

test.each<[string, () => unknown]>([
  ['returns false', () => false],
  ['resolves to false', async () => false],
  ['fetches an error', async () => new Response('<h1>down</h1>', { status: 500 })],
])('a health check fails for a source that %s', async (_, database) => {
  const logger = createRecordingLogger()
  const response = await healthCheck({ sources: { database }, logger }).request('/')
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: 'failing', sources: { database: 'failing' } },
  ])
  expect(JSON.stringify(logger.lines)).toContain('The check returned')
})

test.each([[{ status: 500 }], [{ ok: false }], ['down'], [0], [undefined]])(
  'a health check passes for a source that returns %j, which is no response',
  async (result) => {
    const database = () => result
    expect((await healthCheck({ sources: { database } }).request('/')).status).toBe(200)
  },
)

test('a health check does not read the response of a source', async () => {
  const cancel = vi.fn()
  const database = () => new Response(new ReadableStream({ cancel }))
  expect((await healthCheck({ sources: { database } }).request('/')).status).toBe(200)
  expect(cancel).toHaveBeenCalledTimes(1)
})

test('an audit log without a function to write with is rejected', () => {
  expect(() => audit(undefined as never)).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  )
})

test('a health check aborts the signal of a source at its timeout', async () => {
  const aborted = vi.fn()
  const app = healthCheck({
    timeoutMs: 10,
    sources: {
      slow: (_env, signal) => (signal.addEventListener('abort', aborted), neverResolves()),
    },
  })
  await app.request('/')
  expect(aborted).toHaveBeenCalledTimes(1)
})

test('a health check with a secret rejects requests without it', async () => {
  const check = vi.fn()
  const app = healthCheck({ sources: { check }, auth: secretHeader('x-health', 'only-for-uptime') })
  expect((await app.request('/')).status).toBe(401)
  expect(check).not.toHaveBeenCalled()
  const headers = { 'x-health': 'only-for-uptime' }
  expect((await app.request('/', { headers })).status).toBe(200)
})

const SOURCES = 'sources must be an object of functions, one for each data source.'
const TIMEOUT = 'timeoutMs must be an integer from 1 to 60000 (milliseconds).'

test.each<[string, any, string]>([
  ['no options', undefined, 'the options argument must be an object.'],
  ['no sources', {}, SOURCES],
  ['null as sources', { sources: null }, SOURCES],
  ['a list of sources', { sources: [() => {}] }, SOURCES],
  ['a source that is not a function', { sources: { db: 'postgres://' } }, SOURCES],
  ['a timeout of 0', { sources: {}, timeoutMs: 0 }, TIMEOUT],
  ['a timeout with a fraction', { sources: {}, timeoutMs: 1.5 }, TIMEOUT],
  [
    'a secret as auth',
    { sources: {}, auth: 's3cret' },
    'auth must be secretHeader(…) or noAuth().',
  ],
  [
    'an unknown option',
    { sources: {}, timeout: 5 },
    'there is no option "timeout". Did you mean timeoutMs?',
  ],
  ['a timeout of more than a minute', { sources: {}, timeoutMs: 60_001 }, TIMEOUT],
])('a health check with %s is rejected when it is created', (_name, options, message) => {
  expect(() => healthCheck(options)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: `healthCheck: ${message}` }),
  )
})

test('audit() without a function is rejected when it is created', () => {
  expect(() => (audit as any)()).toThrow(
    'audit: the argument must be a function that writes the record.',
  )
})

test('an audit record lists only sections whose content was shown', async () => {
  const write = vi.fn()
  const app = createTestApp({
    instrument: audit(write),
    logger: false,
    fetchData: () => [
      section('Orders', () => text({ label: 'a', value: 'b' })),
      Promise.resolve(text({ label: 'a', value: 'b' })),
      section('Down', () => Promise.reject(new Error('x'))),
    ],
  })
  await app.request(FETCH_DATA)
  expect(write.mock.calls[0]?.[0].sections).toEqual(['Orders'])
})

test('an instrument without onResponse works', async () => {
  const logger = createRecordingLogger()
  const instrument = { span: (_name: string, _attributes: object, run: () => any) => run() }
  const response = await createTestApp({ logger, instrument }).request(FETCH_DATA)
  expect(response.status).toBe(200)
  expect(logger.lines).toMatchObject([{ level: 'info' }])
})

test('an audit record has the kinds of the failures', async () => {
  const write = vi.fn()
  const fetchData = () => [section('Orders', () => Promise.reject(new Error('canary')))]
  await createTestApp({ instrument: audit(write), fetchData, logger: false }).request(FETCH_DATA)
  expect(write).toHaveBeenCalledWith(expect.objectContaining({ failures: ['section_failed'] }))
})

test('a health check whose authentication throws rejects the request', async () => {
  const authenticate = () => {
    throw new Error('canary')
  }
  const app = healthCheck({ sources: {}, auth: { authenticate } })
  expect((await app.request('/')).status).toBe(401)
})

test('a health check that is mounted has the setup problems of its authentication', async () => {
  const auth = secretHeader('x-health', undefined)
  const server = new Hono().route('/health', healthCheck({ sources: {}, auth }))
  const problems = server.routes.map(({ handler }) =>
    (findTargetHandler(handler) as any)[SETUP_PROBLEMS]({}),
  )
  expect(await Promise.all(problems)).toEqual([
    [expect.stringContaining('No secret is set for header "x-health"')],
  ])
})

test('an audit record of an action has the time, and a copy of the IDs and the details', () => {
  const write = vi.fn()
  const params = { issue_id: 'issue-1' } as ActionRecord['params']
  const rest = {
    traceId: 't',
    action: 'refund',
    agent: undefined,
    status: 200,
    outcome: 'done',
    sentence: 'Refund 5 €?',
    details: { amount: 5 },
  }
  const record = { startedAtMs: 1_800_000_000_000, durationMs: 3, params, ...rest }
  void audit(write).onAction?.(record, { waitUntil: () => undefined })
  expect(write.mock.calls).toStrictEqual([
    [{ time: '2027-01-15T08:00:00.000Z', params: { issue_id: 'issue-1' }, ...rest }],
  ])
  expect(write.mock.lastCall?.[0].params).not.toBe(params)
})
