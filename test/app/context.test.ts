import { expect, test } from 'vitest'
import { type FetchDataContext, payload, section, text } from 'sidecard'
import { FETCH_DATA, makeApp, payloadOf, recordingLogger } from '../helpers/app.ts'

const WITHOUT_ACCOUNT = '/?request_type=fetch_data&issue_id=1&account_id='

async function contextOf(path = FETCH_DATA, env?: object): Promise<FetchDataContext> {
  let seen: FetchDataContext | undefined
  await makeApp({ fetchData: (ctx) => ((seen = ctx), []) }).request(path, {}, env)
  return seen!
}

test('require() gives the id of the issue', async () => {
  expect((await contextOf()).require('account_id')).toBe('account-1')
})

test('require() shows a card, and counts no fault, when the issue has no such id', async () => {
  const logger = recordingLogger()
  const app = makeApp({
    logger,
    fetchData: ({ require }) => [text({ label: 'Account', value: require('account_id') })],
  })
  const response = await app.request(WITHOUT_ACCOUNT)
  expect(response.headers.get('x-sidecard-fault')).toBeNull()
  const { components } = await payloadOf(response)
  expect(components).toHaveLength(1)
  expect(components[0].header.title).toBe('Not available for this issue')
  expect(components[0].components[0].value).toContain('no account')
  expect(logger.lines).toMatchObject([
    { level: 'info', fields: { outcome: 'not_available', status: 200 } },
  ])
})

test('require() inside a section costs only that section', async () => {
  const app = makeApp({
    fetchData: (ctx) => [
      text({ label: 'Plan', value: 'Pro' }),
      section('Orders', () => [text({ label: 'Account', value: ctx.require('account_id') })]),
    ],
  })
  const response = await app.request(WITHOUT_ACCOUNT)
  expect(response.headers.get('x-sidecard-fault')).toBeNull()
  const { components } = await payloadOf(response)
  expect(components[1].header.title).toBe('Orders')
  expect(components[1].components[0].value).toContain('no account')
})

test('gives the bindings, Hono’s context and a trace id that stays the same', async () => {
  const ctx = await contextOf(FETCH_DATA, { PLAN: 'pro' })
  expect(ctx.env).toEqual({ PLAN: 'pro' })
  expect(ctx.c.req.query('issue_id')).toBe('issue-1')
  expect(ctx.traceId).toMatch(/^[0-9a-f-]{36}$/)
  expect(ctx.traceId).toBe(ctx.traceId)
})

test('may be destructured', async () => {
  const { require, params, signal, traceId, log, env, c } = await contextOf()
  expect(require('issue_id')).toBe(params.issue_id)
  expect([signal.aborted, typeof traceId, typeof log.info, c.req.method]).toEqual([
    false,
    'string',
    'function',
    'GET',
  ])
  expect(env).toBe(c.env)
})

test('writes what the callback logs with the trace id of the request', async () => {
  const logger = recordingLogger()
  let traceId = ''
  const app = makeApp({
    logger,
    fetchData: (ctx) => {
      traceId = ctx.traceId
      ctx.log.warn('cache is cold', { rows: 3 })
      return []
    },
  })
  await app.request(FETCH_DATA)
  expect(logger.lines[0]).toEqual({
    level: 'warn',
    fields: { msg: 'cache is cold', traceId, rows: 3 },
  })
})

test('aborts the signal when the caller goes away', async () => {
  const caller = new AbortController()
  const seen = Promise.withResolvers<AbortSignal>()
  const app = makeApp({
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

test('answers with a whole payload as it is, sections and falsy children settled', async () => {
  const app = makeApp({
    fetchData: () =>
      payload({ header: { title: 'Other' }, components: [text({ label: 'a', value: 'b' })] }),
  })
  expect(await payloadOf(await app.request(FETCH_DATA))).toEqual({
    version: '1.0.0',
    header: { title: 'Other' },
    components: [{ type: 'text', label: 'a', value: 'b' }],
  })
})
