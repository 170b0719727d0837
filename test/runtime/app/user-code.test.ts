import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { FAILURE_COLLECTOR } from '../../../src/runtime/internal/failure-detail.ts'
import {
  audit,
  healthCheck,
  identify,
  type Instrument,
  noAuth,
  secretHeader,
  section,
  sidecard,
  text,
} from 'sidecard'
import {
  createRecordingLogger,
  createTestApp,
  FETCH_DATA,
  readPayload,
  VERIFY,
} from '../../helpers/app.ts'

const hangs = (): any => new Promise(() => undefined)
const headers = { 'x-secret': 'correct-horse' }

/** An instrument that records how each span ended. */
function recordSpans() {
  const ended: string[] = []
  const instrument: Instrument = {
    async span(name, _attributes, run) {
      try {
        return await run()
      } finally {
        ended.push(name)
      }
    },
  }
  return { ended, instrument }
}

test.each<[string, any]>([
  ['a secret function that hangs', { auth: secretHeader('x-secret', hangs) }],
  ['an authentication that hangs', { auth: { authenticate: hangs } }],
])('%s is rejected in time, with a log line', async (_name, options) => {
  for (const path of [VERIFY, FETCH_DATA]) {
    const logger = createRecordingLogger()
    const app = createTestApp({ ...options, logger, timeoutMs: 5 })
    expect((await app.request(path, { headers })).status).toBe(401)
    expect(logger.lines).toMatchObject([
      { level: 'error', fields: { auth: 'failed', error: { name: 'TimeoutError' } } },
    ])
  }
})

test('an authentication that returns another value is an error in the log', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({ logger, auth: { authenticate: () => true as never } })
  expect((await app.request(FETCH_DATA)).status).toBe(401)
  expect(logger.lines).toMatchObject([
    { fields: { auth: 'failed', error: { message: expect.stringContaining("'granted'") } } },
  ])
})

function createSchema(validate: () => any) {
  return { '~standard': { version: 1, vendor: 'test', validate } } as const
}

test('a schema of the bindings that hangs gets an answer and a log line, and is tried again', async () => {
  const validate = vi.fn().mockImplementationOnce(hangs).mockReturnValue({ value: {} })
  const logger = createRecordingLogger()
  const app = sidecard(createSchema(validate), {
    header: { title: 'Test' },
    auth: noAuth(),
    logger,
    timeoutMs: 5,
    fetchData: () => [],
  })
  const env = {}
  expect((await app.request(FETCH_DATA, {}, env)).status).toBe(500)
  expect(logger.lines).toMatchObject([
    {
      level: 'error',
      fields: { problems: ['The schema of the bindings did not finish in time.'] },
    },
  ])
  expect((await app.request(FETCH_DATA, {}, env)).status).toBe(200)
})

test('a schema of the bindings that fails once is tried again', async () => {
  const validate = vi
    .fn()
    .mockRejectedValueOnce(new Error('vault is sealed'))
    .mockReturnValueOnce({ issues: [{ message: 'x', path: ['KEY'] }] })
    .mockReturnValue({ value: {} })
  const options = { header: { title: 'Test' }, auth: noAuth(), logger: false, fetchData: () => [] }
  const app = sidecard(createSchema(validate), options as any)
  const env = {}
  const statuses: number[] = []
  for (let request = 0; request < 4; request += 1) {
    // oxlint-disable-next-line no-await-in-loop -- the requests follow each other
    statuses.push((await app.request(FETCH_DATA, {}, env)).status)
  }
  expect(statuses).toEqual([500, 500, 200, 200])
  expect(validate).toHaveBeenCalledTimes(3)
})

test.each<[string, any, string[]]>([
  ['a value', ['sk_live_canary'], ['A binding is invalid.']],
  ['a part of a value', ['live_canary'], ['A binding is invalid.']],
  ['a sentence', ['the key sk_live_canary'], ['A binding is invalid.']],
  ['a value behind a name', ['KEY', 'sk_live_canary'], ['A binding is invalid.']],
  ['a number', [4242], ['A binding is invalid.']],
  ['a symbol', [Symbol('sk_live_canary')], ['A binding is invalid.']],
  ['a name', ['KEY'], ['The binding KEY is invalid.']],
  ['a name that is missing', ['OTHER_KEY'], ['The binding OTHER_KEY is missing.']],
])('the log does not repeat %s in the path of an issue', async (_name, path, problems) => {
  const logger = createRecordingLogger()
  const app = sidecard(
    createSchema(() => ({ issues: [{ message: 'x', path }] })),
    {
      header: { title: 'Test' },
      auth: noAuth(),
      logger,
      fetchData: () => [],
    },
  )
  await app.request(FETCH_DATA, {}, { KEY: 'sk_live_canary' })
  expect(logger.lines).toMatchObject([{ fields: { problems } }])
})

test('a schema that rejects the bindings without an issue says so', async () => {
  const logger = createRecordingLogger()
  const app = sidecard(
    createSchema(() => ({ issues: [] })),
    {
      header: { title: 'Test' },
      auth: noAuth(),
      logger,
      fetchData: () => [],
    },
  )
  await app.request(FETCH_DATA)
  expect(logger.lines).toMatchObject([{ fields: { problems: ['The bindings are invalid.'] } }])
})

test('the spans of fetchData, a section and a lookup that hang end at the timeout', async () => {
  const places: [any, string[]][] = [
    [hangs, ['fetchData']],
    [() => [section('S', hangs)], ['fetchData', 'section']],
    [() => [section('S', hangs, { timeoutMs: 2 })], ['fetchData', 'section']],
    [(ctx: any) => identify(ctx, { issue_id: hangs }), ['identify', 'fetchData']],
  ]
  for (const [fetchData, names] of places) {
    const { ended, instrument } = recordSpans()
    const app = createTestApp({ fetchData, instrument, timeoutMs: 5, logger: false })
    // oxlint-disable-next-line no-await-in-loop -- one app after the other
    await app.request(FETCH_DATA)
    expect(ended.toSorted()).toEqual(names.toSorted())
  }
})

test('a section cannot run longer than the request, even if its own timeout is longer', async () => {
  const app = createTestApp({
    timeoutMs: 5,
    logger: false,
    fetchData: () => [section('S', hangs, { timeoutMs: 60_000 })],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('section_timeout;component=0')
})

test.each<[string, any]>([
  ['false', false],
  ['0', 0],
  ['an empty string', ''],
  ['NaN', NaN],
  ['null', null],
  ['an empty array', []],
  ['an array of absent values', [null, false, undefined, 0, '']],
])('a lookup that returns %s matches nothing', async (_name, found) => {
  const app = createTestApp({
    fetchData: async (ctx) => {
      const { value } = await identify(ctx, { issue_id: () => found })
      return [text({ label: 'found', value: String(value) })]
    },
  })
  expect((await app.request(FETCH_DATA)).headers.get('x-sidecard-outcome')).toBe('not_found')
})

test('a lookup with endless matches fails, and does not block', async () => {
  const endless = new Proxy([], { get: (_, name) => (name === 'length' ? 1e15 : {}) })
  const app = createTestApp({
    logger: false,
    fetchData: (ctx) => identify(ctx, { issue_id: () => endless }) as never,
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('identity_failed')
})

test('a description of a candidate may be a promise', async () => {
  const app = createTestApp({
    fetchData: async (ctx) => {
      await identify(
        ctx,
        { issue_id: () => ['a', 'b'] },
        { describe: async (name) => `Is ${name}` },
      )
      return []
    },
  })
  const payload = await readPayload(await app.request(FETCH_DATA))
  expect(JSON.stringify(payload)).toContain('Is b')
})

test('a health check with an authentication that hangs is rejected in time', async () => {
  const health = healthCheck({ sources: {}, auth: { authenticate: hangs }, timeoutMs: 5 })
  expect((await health.request('/')).status).toBe(401)
})

test('parallel probes share one run of the sources', async () => {
  const gate = Promise.withResolvers<void>()
  const source = vi.fn(() => gate.promise)
  const health = healthCheck({ sources: { database: source } })
  const env = {} as any
  const probes = Array.from({ length: 5 }, async () => health.request('/', {}, env))
  gate.resolve()
  const statuses = (await Promise.all(probes)).map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  expect(source).toHaveBeenCalledTimes(1)
  await health.request('/', {}, env)
  expect(source).toHaveBeenCalledTimes(2)
})

test('a source that returns a response of another class counts by its status', async () => {
  for (const [status, expected] of [
    [503, 503],
    [204, 200],
  ] as const) {
    const health = healthCheck({
      sources: { errors: () => ({ status, ok: status < 400, body: null }) },
    })
    // oxlint-disable-next-line no-await-in-loop -- one check after the other
    expect((await health.request('/')).status).toBe(expected)
  }
})

test('the audit record has the status of middleware that throws after the response', async () => {
  const records: any[] = []
  const app = createTestApp({
    logger: false,
    instrument: audit((record) => void records.push(record)),
    middleware: [
      async (_c, next) => {
        await next()
        throw new Error('x')
      },
    ],
  })
  expect((await app.request(FETCH_DATA)).status).toBe(500)
  expect(records).toMatchObject([{ status: 500, params: { issue_id: expect.any(String) } }])
})

test('the option name is the identity of the app in the log', async () => {
  const logger = createRecordingLogger()
  await createTestApp({ logger, name: 'billing' }).request(FETCH_DATA)
  expect(logger.lines).toMatchObject([{ fields: { app: 'billing' } }])
})

test('serverTiming() rejects an option that it does not have', async () => {
  const { serverTiming } = await import('sidecard')
  expect(() => serverTiming({ alway: true } as never)).toThrow(
    'serverTiming: there is no option "alway". Did you mean always?',
  )
})

test('bindings are read with the schema of zod, and a nested path is named', async () => {
  const logger = createRecordingLogger()
  const app = sidecard(z.object({ DB: z.object({ URL: z.url() }) }), {
    header: { title: 'Test' },
    auth: noAuth(),
    logger,
    fetchData: () => [],
  })
  await app.request(FETCH_DATA, {}, { DB: {} })
  expect(logger.lines).toMatchObject([{ fields: { problems: ['The binding DB.URL is missing.'] } }])
})
test('does not start the sections if the components next to them are invalid', async () => {
  const load = vi.fn()
  const collect = vi.fn()
  const app = createTestApp({
    fetchData: () => [section('Orders', load), { type: 'chart' } as never],
  })
  await app.request(FETCH_DATA, {}, { [FAILURE_COLLECTOR]: collect })
  expect(collect.mock.calls).toMatchObject([[{ kind: 'invalid_payload' }]])
  expect(load).not.toHaveBeenCalled()
})

test('ctx.require() of a promise says that it must be awaited, and handles its rejection', async () => {
  const logger = createRecordingLogger()
  const fetchData = (ctx: any) => ctx.require(Promise.reject(new Error('x')))
  await createTestApp({ logger, fetchData }).request(FETCH_DATA)
  expect(logger.lines).toMatchObject([
    { fields: { failures: [{ message: expect.stringContaining('is a promise: await it') }] } },
  ])
})
