import { expect, test } from 'vitest'
import { failureOf, json, page, scripted } from '../helpers/scripted-api.ts'

const reset = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })

test.each([408, 429, 500, 502, 503, 504, 599])(
  'tries a read again on %d, at most twice, with jittered back-off',
  async (status) => {
    const { client, seen, sleeps } = scripted([json({}, status)])
    expect(await failureOf(client.users.list())).toMatchObject({
      code: 'api_error',
      status,
      attempts: 3,
    })
    expect(seen).toHaveLength(3)
    expect(sleeps).toEqual([250, 500])
  },
)

test.each([400, 401, 403, 404, 409, 422])('does not try a read again on %d', async (status) => {
  const { client, seen } = scripted([json({}, status)])
  expect(await failureOf(client.users.list())).toMatchObject({ status, attempts: 1 })
  expect(seen).toHaveLength(1)
})

test('tries a read again when the connection fails', async () => {
  const { client, seen } = scripted([reset, page(['ok'])])
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
    const { client, seen } = scripted([step])
    const calling =
      call === 'create'
        ? client.tasks.create({ title: 'x' })
        : call === 'redact'
          ? client.messages.redact({ issue_id: 'i', message_id: 'm' })
          : client.request('DELETE', '/x')
    // oxlint-disable-next-line no-await-in-loop -- each call is a case of its own
    const error = await failureOf(calling)
    expect(error.attempts).toBe(1)
    expect(seen).toHaveLength(1)
    expect(error.message).toMatch(/may have arrived|the API answered/)
  }
})

test('sends a write again on 429, which says that it was refused', async () => {
  const { client, seen } = scripted([json({}, 429), json({ data: { id: 't' } })])
  expect(await client.tasks.create({ title: 'x' })).toEqual({ id: 't' })
  expect(seen).toHaveLength(2)
})

test.each([
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['a fraction of a second', { 'retry-after': '0.5' }, 500],
  ['a date', { 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT' }, 9_000],
  ['a date in the past', { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
  ['the longest that is honoured', { 'retry-after': '60' }, 60_000],
  ['X-Retry-After', { 'x-retry-after': '3' }, 3_000],
  ['garbage, ignored', { 'retry-after': 'soon' }, 250],
  ['a negative number, ignored', { 'retry-after': '-5' }, 250],
  ['an empty value, ignored', { 'retry-after': '' }, 250],
])('waits as Retry-After says: %s', async (_name, headers, wait) => {
  const { client, sleeps } = scripted([json({}, 429, headers), page([])])
  await client.users.list()
  expect(sleeps).toEqual([wait])
})

test.each(['61', '99999999', 'Sat, 21 Nov 2026 13:00:00 GMT'])(
  'does not wait for Retry-After: %s, and says how long it is',
  async (value) => {
    const { client, seen } = scripted([json({}, 429, { 'retry-after': value })])
    const error = await failureOf(client.users.list())
    expect(error.retryAfterMs).toBeGreaterThan(60_000)
    expect(seen).toHaveLength(1)
  },
)

test('retry: false never tries again', async () => {
  const { client, seen } = scripted([json({}, 503)], { retry: false })
  await failureOf(client.users.list())
  expect(seen).toHaveLength(1)
})

test('asks for a fresh token before each attempt', async () => {
  let count = 0
  const { client, seen } = scripted([json({}, 503), page([])], {
    accessToken: async () => `t${(count += 1)}`,
  })
  await client.users.list()
  expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer t1',
    'Bearer t2',
  ])
})

test.each(['client', 'call'])(
  'an abort by the signal of the %s ends the back-off',
  async (owner) => {
    const abort = new AbortController()
    const fetched = Promise.withResolvers<void>()
    const { client } = scripted([() => (fetched.resolve(), json({}, 503))], {
      ...(owner === 'client' && { signal: abort.signal }),
      clock: {
        now: () => 0,
        sleep: (_ms, signal) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          ),
      },
    })
    const failing = failureOf(client.users.list(owner === 'call' ? { signal: abort.signal } : {}))
    await fetched.promise
    abort.abort()
    expect(await failing).toMatchObject({ code: 'aborted', attempts: 1 })
  },
)

test('an aborted signal sends nothing', async () => {
  const { client, seen } = scripted([page([])])
  expect(await failureOf(client.users.list({ signal: AbortSignal.abort() }))).toMatchObject({
    code: 'aborted',
  })
  expect(seen).toHaveLength(0)
})

test('an abort ends a request under way', async () => {
  const abort = new AbortController()
  const { client } = scripted([
    (_seen, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        abort.abort()
      }),
  ])
  expect(await failureOf(client.users.list({ signal: abort.signal }))).toMatchObject({
    code: 'aborted',
  })
})

const real = {
  clock: {
    now: () => Date.now(),
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, ms)
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(signal.reason as Error)
        })
      }),
  },
}

test.each([
  ['no answer', 'never' as const],
  [
    'a body that stalls',
    () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
  ],
])('gives up on %s within the time of the attempt', async (_name, step) => {
  const { client, seen } = scripted([step], { ...real, timeoutMs: 30 })
  expect(await failureOf(client.users.list())).toMatchObject({ code: 'timeout' })
  expect(seen).toHaveLength(1)
})

test('leaves no listener behind on a signal that lives long', async () => {
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
  const { client } = scripted([page([])], { signal })
  await client.users.list()
  await client.users.list()
  expect(listeners).toBe(0)
})
