import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { basicAuth } from 'hono/basic-auth'
import { bearerAuth } from 'hono/bearer-auth'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { contextStorage, getContext } from 'hono/context-storage'
import { cors } from 'hono/cors'
import { etag } from 'hono/etag'
import { HTTPException } from 'hono/http-exception'
import { ipRestriction } from 'hono/ip-restriction'
import { poweredBy } from 'hono/powered-by'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { timing } from 'hono/timing'
import { describe, expect, test, vi } from 'vitest'
import { text } from 'sidecard'
import { FETCH_DATA, createTestApp, readPayload, createRecordingLogger } from '../../helpers/app.ts'

const BODY = { label: 'Plan', value: 'x'.repeat(2_000) }

/** A bare Hono app with the headers of Sidecard’s responses. */
function bareApp(middleware: MiddlewareHandler): Hono {
  const app = new Hono()
  app.use(middleware)
  app.get('/', (c) =>
    c.json(
      { version: '1.0.0', header: { title: 'Test' }, components: [{ type: 'text', ...BODY }] },
      200,
      {
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    ),
  )
  return app
}

const MIDDLEWARE: [
  name: string,
  create: () => MiddlewareHandler,
  headers: Record<string, string>,
][] = [
  ['basicAuth without credentials', () => basicAuth({ username: 'u', password: 'p' }), {}],
  [
    'basicAuth',
    () => basicAuth({ username: 'u', password: 'p' }),
    { authorization: `Basic ${btoa('u:p')}` },
  ],
  ['bearerAuth without a token', () => bearerAuth({ token: 't' }), {}],
  ['bearerAuth', () => bearerAuth({ token: 't' }), { authorization: 'Bearer t' }],
  ['requestId', () => requestId({ generator: () => 'r-1' }), {}],
  ['secureHeaders', () => secureHeaders(), {}],
  ['timing', () => timing({ total: false }), {}],
  ['etag', () => etag(), {}],
  ['etag that matches', () => etag(), { 'if-none-match': '*' }],
  ['cors', () => cors({ origin: 'https://a.example' }), { origin: 'https://a.example' }],
  ['compress', () => compress({ threshold: 1 }), { 'accept-encoding': 'gzip' }],
  ['ipRestriction', () => ipRestriction(() => '10.0.0.1', { denyList: ['10.0.0.0/8'] }), {}],
  ['poweredBy', () => poweredBy(), {}],
  ['bodyLimit', () => bodyLimit({ maxSize: 10 }), {}],
  ['contextStorage', () => contextStorage(), {}],
]

describe.each(['the option middleware', 'a parent app'])('as %s', (place) => {
  function sidecardApp(middleware: MiddlewareHandler) {
    const fetchData = () => [text(BODY)]
    if (place === 'the option middleware')
      return createTestApp({ middleware: [middleware], fetchData })
    return new Hono().use(middleware).route('/', createTestApp({ fetchData }))
  }

  test.each(MIDDLEWARE)('%s behaves as on a bare Hono app', async (_name, create, headers) => {
    const [ours, bare] = await Promise.all([
      sidecardApp(create()).request(FETCH_DATA, { headers }),
      bareApp(create()).request(FETCH_DATA, { headers }),
    ])
    expect(ours.status).toBe(bare.status)
    expect(Object.fromEntries(ours.headers)).toEqual(Object.fromEntries(bare.headers))
    expect(await ours.text()).toBe(await bare.text())
  })

  test('cors responds to a preflight before the endpoint', async () => {
    const response = await sidecardApp(cors()).request('/', {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
    })
    expect(response.status).toBe(204)
  })
})

test('fetchData reads the variables and the context that middleware sets', async () => {
  interface Env {
    Variables: { tenant: string }
  }
  const app = createTestApp<Env>({
    middleware: [
      contextStorage(),
      async (c, next) => {
        c.set('tenant', 'acme')
        c.header('x-before', 'b')
        await next()
        c.res.headers.set('x-after', 'a')
      },
    ],
    fetchData: (ctx) => [
      text({ label: 'tenant', value: ctx.c.get('tenant') }),
      text({ label: 'method', value: getContext().req.method }),
    ],
  })
  const mounted = new Hono().route('/billing', app)
  const responses = [
    await app.request(FETCH_DATA),
    await mounted.request(`/billing${FETCH_DATA.slice(1)}`),
  ]
  for (const response of responses) {
    expect(response.headers.get('x-before')).toBe('b')
    expect(response.headers.get('x-after')).toBe('a')
    expect((await readPayload(response)).components.map(({ value }: any) => value)).toEqual([
      'acme',
      'GET',
    ])
  }
})

test('middleware runs for every method', async () => {
  const methods: string[] = []
  const app = createTestApp({
    middleware: [async (c, next) => (methods.push(c.req.raw.method), next())],
  })
  for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) await app.request(FETCH_DATA, { method })
  expect(methods).toEqual(['GET', 'HEAD', 'POST', 'OPTIONS'])
})

test('middleware may respond instead of the endpoint', async () => {
  const fetchData = vi.fn(() => [])
  const app = createTestApp({
    fetchData,
    middleware: [async (c) => c.json({ maintenance: true }, 503)],
  })
  expect((await app.request(FETCH_DATA)).status).toBe(503)
  expect(fetchData).not.toHaveBeenCalled()
})

test('accepts a response of another realm', async () => {
  const foreign = () =>
    Object.create(new Response('elsewhere', { status: 418 }), {
      status: { value: 418 },
      headers: { value: new Headers({ 'x-realm': 'other' }) },
      body: { value: null },
    }) as Response
  const app = createTestApp({ middleware: [async () => foreign()] })
  expect((await app.request(FETCH_DATA)).headers.get('x-realm')).toBe('other')
})

test('an HTTPException returns its own response', async () => {
  const app = createTestApp({
    middleware: [
      () => {
        throw new HTTPException(451, { message: 'Unavailable for legal reasons' })
      },
    ],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.status).toBe(451)
  expect(await response.text()).toBe('Unavailable for legal reasons')
})

test.each([
  ['an Error', new Error('canary')],
  ['a string', 'canary'],
  ['null', null],
  ['undefined', undefined],
])(
  '%s that middleware throws is a 500 with a trace ID, logged and passed to onError',
  async (_name, thrown) => {
    const logger = createRecordingLogger()
    const onError = vi.fn()
    const app = createTestApp({
      logger,
      onError,
      middleware: [
        () => {
          throw thrown
        },
      ],
    })
    for (const server of [app, new Hono().route('/', app)]) {
      logger.lines.length = 0
      onError.mockClear()
      const response = await server.request(FETCH_DATA)
      expect(response.status).toBe(500)
      const problem: any = await response.json()
      expect(problem).toMatchObject({
        code: 'internal_error',
        traceId: expect.stringMatching(/^\w{12}$/),
      })
      expect(JSON.stringify(problem)).not.toContain('canary')
      expect(logger.lines).toMatchObject([
        { level: 'error', fields: { outcome: 'middleware_failed', traceId: problem.traceId } },
      ])
      expect(onError).toHaveBeenCalledExactlyOnceWith(
        thrown,
        expect.objectContaining({ traceId: problem.traceId }),
        { kind: 'middleware_failed' },
      )
    }
  },
)

test('reports middleware that neither responds nor calls next()', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({
    logger,
    middleware: [async (_c, next) => next(), (async () => {}) as never],
  })
  expect((await app.request(FETCH_DATA)).status).toBe(500)
  expect(JSON.stringify(logger.lines)).toContain(
    'middleware[1] neither returned a response nor called next()',
  )
})

test('an HTTPException in fetchData is an ordinary failure', async () => {
  const app = createTestApp({
    logger: false,
    fetchData: () => {
      throw new HTTPException(403, { message: 'canary' })
    },
  })
  const response = await app.request(FETCH_DATA)
  expect(response.status).toBe(200)
  expect(response.headers.get('x-sidecard-failure')).toBe('callback_failed')
  expect(await response.text()).not.toContain('canary')
})

test('does not call fetchData twice if next() is called twice', async () => {
  const fetchData = vi.fn(() => [])
  const app = createTestApp({
    fetchData,
    middleware: [
      async (_c: Context, next) => {
        await next()
        await next()
      },
    ],
  })
  await app.request(FETCH_DATA)
  expect(fetchData).toHaveBeenCalledTimes(1)
})

test('middleware sees what later middleware threw, as an Error with a cause', async () => {
  const seen: unknown[] = []
  const app = createTestApp({
    middleware: [
      async (c, next) => {
        await next()
        seen.push(c.error)
      },
      () => {
        throw 'canary'
      },
    ],
  })
  await app.request(FETCH_DATA)
  expect(seen).toEqual([
    expect.objectContaining({
      name: 'ThrownValueError',
      message: 'Middleware threw a value that is not an Error.',
      cause: 'canary',
    }),
  ])
})

test('middleware that calls next() without an await is not told to call it', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({ logger, middleware: [async (_c, next) => void next()] })
  expect((await app.request(FETCH_DATA)).status).toBe(500)
  expect(JSON.stringify(logger.lines)).toContain('await next()')
  expect(JSON.stringify(logger.lines)).not.toContain('neither returned a response')
})
