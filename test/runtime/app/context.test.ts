import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type FetchDataContext, noAuth, payload, section, sidecard, text } from 'sidecard'
import { FETCH_DATA, createTestApp, readPayload, createRecordingLogger } from '../../helpers/app.ts'

const WITHOUT_ACCOUNT = '/?request_type=fetch_data&issue_id=1&account_id='

async function captureContext(path = FETCH_DATA, env?: object): Promise<FetchDataContext> {
  let seen: FetchDataContext | undefined
  await createTestApp({ fetchData: (ctx) => ((seen = ctx), []) }).request(path, {}, env)
  return seen!
}

test('require() returns the ID of the issue', async () => {
  expect((await captureContext()).require('account_id')).toBe('account-1')
})

test('require() shows a card without a failure if the issue does not have the ID', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({
    logger,
    fetchData: ({ require }) => [text({ label: 'Account', value: require('account_id') })],
  })
  const response = await app.request(WITHOUT_ACCOUNT)
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
  const { components } = await readPayload(response)
  expect(components).toHaveLength(1)
  expect(components[0].header.title).toBe('Not available for this issue')
  expect(components[0].components[0].value).toContain('no account ID')
  expect(logger.lines).toMatchObject([
    { level: 'info', fields: { outcome: 'not_available', status: 200 } },
  ])
})

test('require() inside a section replaces only that section', async () => {
  const app = createTestApp({
    fetchData: (ctx) => [
      text({ label: 'Plan', value: 'Pro' }),
      section('Orders', () => [text({ label: 'Account', value: ctx.require('account_id') })]),
    ],
  })
  const response = await app.request(WITHOUT_ACCOUNT)
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
  const { components } = await readPayload(response)
  expect(components[1].header.title).toBe('Orders')
  expect(components[1].components[0].value).toContain('no account ID')
})

test('contains the bindings, Hono’s context and a constant trace ID', async () => {
  const ctx = await captureContext(FETCH_DATA, { PLAN: 'pro' })
  expect(ctx.env).toEqual({ PLAN: 'pro' })
  expect(ctx.c.req.query('issue_id')).toBe('issue-1')
  expect(ctx.traceId).toMatch(/^[2-9a-z]{12}$/)
  expect(ctx.traceId).toBe(ctx.traceId)
  expect(ctx.signal).toBe(ctx.signal)
})

test('can be destructured', async () => {
  const { require, params, signal, traceId, log, env, c } = await captureContext()
  expect(require('issue_id')).toBe(params.issue_id)
  expect([signal.aborted, typeof traceId, typeof log.info, c.req.method]).toEqual([
    false,
    'string',
    'function',
    'GET',
  ])
  expect(env).toBe(c.env)
})

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

test('adds the trace ID to what fetchData logs', async () => {
  const logger = createRecordingLogger()
  let traceId = ''
  const app = createTestApp({
    logger,
    fetchData: (ctx) => {
      traceId = ctx.traceId
      for (const level of LEVELS) ctx.log[level]('cache is cold', { rows: 3 })
      return []
    },
  })
  await app.request(FETCH_DATA)
  const fields = { msg: 'cache is cold', app: 'Test', traceId, rows: 3 }
  expect(logger.lines.slice(0, 4)).toEqual(LEVELS.map((level) => ({ level, fields })))
})

test('a message that is no text is logged', async () => {
  const logger = createRecordingLogger()
  const fetchData = (ctx: any) => (ctx.log.info(7), [])
  await createTestApp({ logger, fetchData }).request(FETCH_DATA)
  expect(logger.lines[0]?.fields).toMatchObject({ msg: 7 })
})

test.each([null, 'pro'])(
  'a field is logged although the bindings are %j as well',
  async (value) => {
    const logger = createRecordingLogger()
    const validate = () => ({ value })
    const app = sidecard(
      { '~standard': { version: 1, vendor: 'test', validate } },
      {
        header: { title: 'Test' },
        auth: noAuth(),
        logger,
        fetchData: (ctx) => (ctx.log.info('plan', { value }), []),
      },
    )
    await app.request(FETCH_DATA)
    expect(logger.lines[0]?.fields['value']).toBe(value)
  },
)

test('as JSON, it has the trace ID and the IDs only', async () => {
  const ctx = await captureContext(FETCH_DATA, { KEY: 'canary' })
  const { traceId, params } = ctx
  expect(JSON.parse(JSON.stringify(ctx))).toEqual({ traceId, params })
})

test('follows the signal of the caller once, however often it is read', async () => {
  let count = 0
  const fetchData = (ctx: FetchDataContext) => {
    const follow = vi.spyOn(ctx.c.req.raw.signal, 'addEventListener')
    for (let reads = 0; reads < 3; reads += 1) void ctx.signal
    count = follow.mock.calls.length
    return []
  }
  await createTestApp({ fetchData }).request(FETCH_DATA)
  expect(count).toBe(1)
})

test('a section follows a caller that disconnects while it loads, or earlier', async () => {
  const caller = new AbortController()
  const started = Promise.withResolvers<void>()
  const signals: Record<string, AbortSignal> = {}
  const app = createTestApp({
    fetchData: () => [
      section('Done', (signal) => ((signals['Done'] = signal), []), { timeoutMs: 1_000 }),
      ...[{}, { timeoutMs: 1_000 }].map((options, index) =>
        section(
          `Loading ${index}`,
          (signal) => {
            signals[`Loading ${index}`] = signal
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve([])))
          },
          options,
        ),
      ),
      section('Last', () => started.resolve() as never),
    ],
  })
  const response = app.request(FETCH_DATA, { signal: caller.signal })
  await started.promise
  await setImmediate()
  caller.abort(new Error('gone'))
  await response
  const aborted = Object.entries(signals).map(([title, signal]) => [title, signal.aborted])
  expect(aborted).toEqual([
    ['Done', false],
    ['Loading 0', true],
    ['Loading 1', true],
  ])

  let late: AbortSignal | undefined
  await createTestApp({
    fetchData: (ctx) => {
      void ctx.signal
      return [section('Late', (signal) => ((late = signal), []), { timeoutMs: 1_000 })]
    },
  }).request(FETCH_DATA, { signal: AbortSignal.abort(new Error('gone')) })
  expect(late?.reason).toEqual(new Error('gone'))
})

test('aborts the signal when the caller disconnects', async () => {
  const caller = new AbortController()
  const seen = Promise.withResolvers<AbortSignal>()
  const app = createTestApp({
    timeoutMs: 2_000,
    fetchData: (ctx) => {
      seen.resolve(ctx.signal)
      return new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve([])))
    },
  })
  const answering = app.request(FETCH_DATA, { signal: caller.signal })
  const signal = await seen.promise
  caller.abort()
  await answering
  expect(signal.aborted).toBe(true)
})

test('sends a payload unchanged, with settled sections and without falsy children', async () => {
  const app = createTestApp({
    fetchData: () =>
      payload({ header: { title: 'Other' }, components: [text({ label: 'a', value: 'b' })] }),
  })
  expect(await readPayload(await app.request(FETCH_DATA))).toEqual({
    version: '1.0.0',
    header: { title: 'Other' },
    components: [{ type: 'text', label: 'a', value: 'b' }],
  })
})

test('require() suggests an ID for one that the contract does not have', async () => {
  const ctx = await captureContext()
  expect(() => ctx.require('accountId' as never)).toThrow(/Did you mean account_id\?/)
  expect(() => ctx.require('__proto__' as never)).toThrow(
    expect.objectContaining({
      code: 'unknown_parameter',
      message:
        'ctx.require: the contract has no such ID. Use one of app_id, widget_id, issue_id, organization_id, account_id, requester_id, requester_email.',
    }),
  )
})

test('waitUntil() passes work to the runtime, and logs its rejection', async () => {
  const logger = createRecordingLogger()
  const pending: Promise<unknown>[] = []
  const app = createTestApp({
    logger,
    fetchData: ({ waitUntil }) => {
      waitUntil(Promise.reject(new Error('queue is down')))
      return []
    },
  })
  const executionCtx = {
    waitUntil: (promise: Promise<unknown>) => void pending.push(promise),
    passThroughOnException: () => undefined,
    props: {},
  }
  expect((await app.request(FETCH_DATA, {}, {}, executionCtx)).status).toBe(200)
  expect(pending).toHaveLength(1)
  await expect(pending[0]).resolves.toBeUndefined()
  expect(logger.lines[0]).toMatchObject({
    level: 'warn',
    fields: { msg: 'sidecard waitUntil', error: { message: 'queue is down' } },
  })
})

test('waitUntil() works without an execution context', async () => {
  const app = createTestApp({
    logger: createRecordingLogger(),
    fetchData: (ctx) => (ctx.waitUntil(Promise.reject(new Error('x'))), []),
  })
  expect((await app.request(FETCH_DATA)).status).toBe(200)
})

test('the error of an absent ID names it', async () => {
  const { require } = await captureContext(WITHOUT_ACCOUNT)
  expect(() => require('account_id')).toThrow(/^The request has no account_id\.$/)
})
