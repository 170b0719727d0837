import { expect, test } from 'vitest'
import { catchError, json, page, createScriptedClient } from '../../helpers/scripted-api.ts'

const reset = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })

test.each([408, 429, 500, 502, 503, 504, 599])(
  'retries a read on %d, at most twice, with jittered back-off',
  async (status) => {
    const { client, seen, sleeps } = createScriptedClient([json({}, status)])
    expect(await catchError(client.users.list())).toMatchObject({
      code: 'api_error',
      status,
      attempts: 3,
    })
    expect(seen).toHaveLength(3)
    expect(sleeps).toEqual([250, 500])
  },
)

test.each([400, 401, 403, 404, 409, 422])('does not retry a read on %d', async (status) => {
  const { client, seen } = createScriptedClient([json({}, status)])
  expect(await catchError(client.users.list())).toMatchObject({ status, attempts: 1 })
  expect(seen).toHaveLength(1)
})

test('retries a read if the connection fails', async () => {
  const { client, seen } = createScriptedClient([reset, page(['ok'])])
  expect((await client.users.list()).data).toEqual(['ok'])
  expect(seen).toHaveLength(2)
})

test.each([
  ['a reset', reset],
  ['408', json({}, 408)],
  ['500', json({}, 500)],
  ['503 with Retry-After', json({}, 503, { 'retry-after': '0' })],
])('never sends a write again after %s', async (_name, step) => {
  for (const call of ['create', 'redact', 'request'] as const) {
    const { client, seen } = createScriptedClient([step])
    const calling =
      call === 'create'
        ? client.tasks.create({ title: 'x' })
        : call === 'redact'
          ? client.messages.redact({ issue_id: 'i', message_id: 'm' })
          : client.request('DELETE', '/x')
    // oxlint-disable-next-line no-await-in-loop -- each call is its own case
    const error = await catchError(calling)
    expect(error.attempts).toBe(1)
    expect(seen).toHaveLength(1)
    expect(error.message).toMatch(/may have been processed/)
  }
})

test('retries a write on 429, because it was not processed', async () => {
  const { client, seen } = createScriptedClient([json({}, 429), json({ data: { id: 't' } })])
  expect(await client.tasks.create({ title: 'x' })).toEqual({ id: 't' })
  expect(seen).toHaveLength(2)
})

test.each([
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['a fraction of a second', { 'retry-after': '0.5' }, 500],
  ['a date', { 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT' }, 9_000],
  [
    'a date, by the clock of the API, which is an hour behind',
    { 'retry-after': 'Sat, 21 Nov 2026 11:00:09 GMT', date: 'Sat, 21 Nov 2026 11:00:00 GMT' },
    9_000,
  ],
  [
    'a date, by the clock of the API, which is an hour ahead',
    { 'retry-after': 'Sat, 21 Nov 2026 13:00:09 GMT', date: 'Sat, 21 Nov 2026 13:00:00 GMT' },
    9_000,
  ],
  [
    'a date, by the own clock if the Date is garbage',
    { 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT', date: 'yesterday' },
    9_000,
  ],
  ['a date in the past', { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
  ['the longest wait', { 'retry-after': '60' }, 60_000],
  ['X-Retry-After', { 'x-retry-after': '3' }, 3_000],
  ['garbage, ignored', { 'retry-after': 'soon' }, 250],
  ['a number with a unit, ignored', { 'retry-after': '7s' }, 250],
  ['a number after a word, ignored', { 'retry-after': 's7' }, 250],
  ['a date of another format, ignored', { 'retry-after': '2026-11-21T12:00:09Z' }, 250],
  ['a date after a digit, ignored', { 'retry-after': '21 Nov 2026 12:00:09 GMT' }, 250],
  ['a negative number, ignored', { 'retry-after': '-5' }, 250],
  ['an empty value, ignored', { 'retry-after': '' }, 250],
])('waits for Retry-After: %s', async (_name, headers, wait) => {
  const { client, sleeps } = createScriptedClient([json({}, 429, headers), page([])])
  await client.users.list()
  expect(sleeps).toEqual([wait])
})

test.each([
  '61',
  '99999999',
  '99999999999',
  '9'.repeat(400),
  '60.001',
  'Sat, 21 Nov 2026 13:00:00 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
])('does not wait for Retry-After: %s, and reports it', async (value) => {
  const { client, seen } = createScriptedClient([json({}, 429, { 'retry-after': value })])
  const error = await catchError(client.users.list())
  expect(error.retryAfterMs).toBeGreaterThan(60_000)
  expect(Number.isSafeInteger(error.retryAfterMs)).toBe(true)
  expect(error.message).toMatch(/Retry after \d+ s\.$/)
  expect(seen).toHaveLength(1)
})

test('retry: false never retries', async () => {
  const { client, seen } = createScriptedClient([json({}, 503)], { retry: false })
  await catchError(client.users.list())
  expect(seen).toHaveLength(1)
})

test('calls the token function before each attempt', async () => {
  let count = 0
  const { client, seen } = createScriptedClient([json({}, 503), page([])], {
    accessToken: async () => `t${(count += 1)}`,
  })
  await client.users.list()
  expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer t1',
    'Bearer t2',
  ])
})

test('an aborted signal sends nothing', async () => {
  const { client, seen } = createScriptedClient([page([])])
  expect(await catchError(client.users.list({ signal: AbortSignal.abort() }))).toMatchObject({
    code: 'aborted',
  })
  expect(seen).toHaveLength(0)
})

test('an abort ends a pending request', async () => {
  const abort = new AbortController()
  const { client } = createScriptedClient([
    (_seen, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        abort.abort()
      }),
  ])
  expect(await catchError(client.users.list({ signal: abort.signal }))).toMatchObject({
    code: 'aborted',
  })
})

test.each([
  ['no response', 'never' as const],
  [
    'a body that stalls',
    () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
  ],
])('times out on %s', async (_name, step) => {
  const { client, seen } = createScriptedClient([step], {
    realClock: true,
    timeoutMs: 30,
  })
  expect(await catchError(client.users.list())).toMatchObject({ code: 'timeout' })
  expect(seen).toHaveLength(1)
})

test('removes its listeners from a long-lived signal', async () => {
  const { signal } = new AbortController()
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = ((...args: Parameters<typeof add>) => (
    (listeners += 1),
    add(...args)
  )) as typeof add
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => (
    (listeners -= 1),
    remove(...args)
  )) as typeof remove
  const { client } = createScriptedClient([page([])], { signal })
  await client.users.list()
  await client.users.list()
  expect(listeners).toBe(0)
})

test.each(['client', 'call'])(
  'an abort by the signal of the %s ends the back-off',
  async (owner) => {
    const abort = new AbortController()
    const { signal } = abort
    // The abort comes while the client waits.
    const respond = () => (setTimeout(() => abort.abort(), 20), json({}, 503))
    const { client, seen } = createScriptedClient([respond], {
      realClock: true,
      retry: { baseDelayMs: 1_000_000_000, maxDelayMs: 1_000_000_000 },
      ...(owner === 'client' && { signal }),
    })
    const error = await catchError(client.users.list(owner === 'call' ? { signal } : {}))
    expect(error).toMatchObject({
      code: 'aborted',
      attempts: 1,
      message: 'GET /users: aborted while waiting to retry.',
    })
    expect(seen).toHaveLength(1)
  },
)

test('waits on the real clock before a retry', async () => {
  const { client } = createScriptedClient(
    [json({}, 503, { 'retry-after': '0.04' }), page(['ok'])],
    { realClock: true },
  )
  const started = performance.now()
  expect((await client.users.list()).data).toEqual(['ok'])
  expect(performance.now() - started).toBeGreaterThan(15)
})

test.each(['client', 'call'] as const)(
  'with two signals, the signal of the %s is sufficient to cancel the call',
  async (owner) => {
    const aborts = { client: new AbortController(), call: new AbortController() }
    const { client } = createScriptedClient(
      [() => (aborts[owner].abort(), new Promise<Response>(() => undefined))],
      { signal: aborts.client.signal },
    )
    const error = await catchError(client.users.list({ signal: aborts.call.signal }))
    expect(error).toMatchObject({ code: 'aborted', attempts: 1 })
  },
)

test('an abort while the token is loading sends no request, and reports that', async () => {
  const abort = new AbortController()
  const { client, seen } = createScriptedClient([json({ data: {} })], {
    accessToken: () => {
      abort.abort()
      return new Promise(() => undefined)
    },
  })
  const error = await catchError(client.tasks.create({ title: 'x' }, { signal: abort.signal }))
  expect(error).toMatchObject({ code: 'aborted', attempts: 0 })
  expect(error.message).toBe('POST /tasks: aborted.')
  expect(seen).toHaveLength(0)
})

test('a token that loads too slowly times out', async () => {
  const { client, seen } = createScriptedClient([page([])], {
    accessToken: () => new Promise(() => undefined),
    realClock: true,
    timeoutMs: 20,
  })
  expect(await catchError(client.users.list())).toMatchObject({ code: 'timeout', attempts: 0 })
  expect(seen).toHaveLength(0)
})
