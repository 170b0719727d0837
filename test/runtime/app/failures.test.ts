import { expect, test, vi } from 'vitest'
import { section, text } from 'sidecard'
import { validatePayload } from 'sidecard/schema'
import {
  FETCH_DATA,
  createTestApp,
  neverResolves,
  readPayload,
  createRecordingLogger,
} from '../../helpers/app.ts'

const CANARY = 'canary-7f3a'

function cyclic(): unknown {
  const component: Record<string, unknown> = { type: 'card', components: [] }
  component['components'] = [component]
  return [component]
}

function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 0; level < levels; level += 1) value = { type: 'card', components: [value] }
  return [value]
}

const throwing = {
  type: 'text',
  label: 'x',
  get value(): string {
    throw new Error(CANARY)
  },
}

const FAILURES: [name: string, fetchData: () => any, kind: string][] = [
  [
    'throws an error',
    () => {
      throw new Error(CANARY)
    },
    'callback_failed',
  ],
  [
    'throws a string',
    () => {
      throw CANARY
    },
    'callback_failed',
  ],
  [
    'throws null',
    () => {
      throw null
    },
    'callback_failed',
  ],
  [
    'throws a proxy that throws',
    () => {
      throw new Proxy(
        {},
        {
          get() {
            throw new Error(CANARY)
          },
          getPrototypeOf() {
            throw new Error(CANARY)
          },
        },
      )
    },
    'callback_failed',
  ],
  [
    'throws an error with hostile fields',
    () => {
      throw Object.defineProperty(new Error(CANARY), 'name', {
        get() {
          throw new Error(CANARY)
        },
      })
    },
    'callback_failed',
  ],
  ['rejects', () => Promise.reject(new Error(CANARY)), 'callback_failed'],
  ['rejects with undefined', () => Promise.reject(undefined), 'callback_failed'],
  [
    'returns a thenable that throws',
    () => ({
      get then() {
        throw new Error(CANARY)
      },
    }),
    'invalid_payload',
  ],
  ['never settles', () => neverResolves(), 'timeout'],
  ['returns nothing', () => undefined, 'invalid_payload'],
  ['returns a string', () => CANARY, 'invalid_payload'],
  ['returns a cycle', () => cyclic(), 'invalid_payload'],
  ['returns a BigInt', () => [{ type: 'text', label: 'x', value: 10n }], 'invalid_payload'],
  ['returns a Map', () => [new Map([[CANARY, CANARY]])], 'invalid_payload'],
  ['returns NaN', () => [{ type: 'text', label: 'x', value: NaN }], 'invalid_payload'],
  ['returns a throwing getter', () => [throwing], 'invalid_payload'],
  ['returns twenty thousand levels', () => nested(20_000), 'invalid_payload'],
  [
    'returns fifty megabytes',
    () => [text({ label: 'x', value: 'é'.repeat(25_000_000) })],
    'payload_too_large',
  ],
  [
    'returns 1001 components',
    () => Array.from({ length: 1001 }, () => text({ label: 'x', value: 'y' })),
    'payload_too_large',
  ],
  [
    'returns an array of four billion holes',
    () => Object.assign([], { length: 2 ** 32 - 1 }),
    'payload_too_large',
  ],
  ['returns an unknown component', () => [{ type: 'chart', label: CANARY }], 'invalid_payload'],
  ['returns a function as a child', () => [() => CANARY], 'invalid_payload'],
]

test.each(FAILURES)(
  'responds with a valid payload and leaks nothing if fetchData %s',
  async (_name, fetchData, kind) => {
    const logger = createRecordingLogger()
    const response = await createTestApp({ fetchData, logger, timeoutMs: 50 }).request(FETCH_DATA)
    const body = await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('x-sidecard-failure')).toBe(kind)
    expect(validatePayload(JSON.parse(body)).ok).toBe(true)
    const traceId = response.headers.get('x-sidecard-trace')
    expect(traceId).toMatch(/^[2-9a-z]{12}$/)
    expect(body).toContain(traceId)
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { outcome: kind, traceId } }])
    const sent = body + JSON.stringify([...response.headers])
    expect(sent).not.toContain(CANARY)
    expect(sent + JSON.stringify(logger.lines)).not.toMatch(/jane|account-1/)
  },
)

test.each(FAILURES)(
  'responds with a problem with errors: status if fetchData %s',
  async (_name, fetchData, kind) => {
    const response = await createTestApp({ fetchData, errors: 'status', timeoutMs: 50 }).request(
      FETCH_DATA,
    )
    expect(response.status).toBe(kind === 'timeout' ? 504 : 500)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const body = await response.text()
    expect(JSON.parse(body).traceId).toBe(response.headers.get('x-sidecard-trace'))
    expect(body).not.toContain(CANARY)
  },
)

test('does not affect other requests', async () => {
  let request = 0
  const app = createTestApp({
    timeoutMs: 100,
    fetchData: () => {
      const failure = FAILURES[request++ % (FAILURES.length + 1)]
      return failure === undefined ? [text({ label: 'Plan', value: 'Pro' })] : failure[1]()
    },
  })
  const answers = await Promise.all(
    Array.from({ length: FAILURES.length + 1 }, async () =>
      readPayload(await app.request(FETCH_DATA)),
    ),
  )
  expect(answers.at(-1).components).toEqual([{ type: 'text', label: 'Plan', value: 'Pro' }])
})

test('aborts the signal at the timeout, with a reason', async () => {
  const aborted = vi.fn()
  const app = createTestApp({
    timeoutMs: 30,
    fetchData: (ctx) => {
      ctx.signal.addEventListener('abort', () => aborted(ctx.signal.reason))
      return neverResolves()
    },
  })
  await app.request(FETCH_DATA)
  expect(aborted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'TimeoutError' }))
})

test('ignores a rejection of fetchData after the timeout', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const logger = createRecordingLogger()
  await createTestApp({ timeoutMs: 20, logger, fetchData: () => promise }).request(FETCH_DATA)
  reject(new Error(CANARY))
  await Promise.allSettled([promise])
  expect(logger.lines).toHaveLength(1)
})

test('passes each error to onError unchanged', async () => {
  const onError = vi.fn()
  const error = new Error(CANARY)
  await createTestApp({ onError, fetchData: () => Promise.reject(error) }).request(FETCH_DATA)
  expect(onError).toHaveBeenCalledExactlyOnceWith(
    error,
    expect.objectContaining({ params: expect.anything() }),
    { kind: 'callback_failed', section: undefined },
  )
  await createTestApp({
    onError,
    fetchData: () => [{ type: 'badge', label: 'x', items: [{ value: 'y', color: 'grey' }] }] as any,
  }).request(FETCH_DATA)
  expect(onError).toHaveBeenLastCalledWith(
    expect.objectContaining({
      code: 'invalid_payload',
      issues: [
        expect.objectContaining({
          path: 'components[0].items[0].color',
          fix: expect.stringContaining('gray'),
        }),
      ],
    }),
    expect.anything(),
    expect.objectContaining({ kind: 'invalid_payload' }),
  )
})

test('shows the children that onError returns', async () => {
  const app = createTestApp({
    fetchData: () => Promise.reject(new Error(CANARY)),
    onError: () => [text({ label: 'Billing', value: 'is down' })],
  })
  const response = await app.request(FETCH_DATA)
  expect((await readPayload(response)).components).toEqual([
    { type: 'text', label: 'Billing', value: 'is down' },
  ])
  expect(response.headers.get('x-sidecard-failure')).toBe('callback_failed')
})

test.each([
  [
    'throws',
    () => {
      throw new Error(CANARY)
    },
  ],
  ['rejects', () => Promise.reject(new Error(CANARY))],
  ['returns nonsense', () => [{ type: 'chart' }] as any],
  ['never settles', () => neverResolves()],
])('shows the standard card when onError %s', async (_name, onError) => {
  const payload = await readPayload(
    await createTestApp({ onError, fetchData: () => Promise.reject(new Error('x')) }).request(
      FETCH_DATA,
    ),
  )
  expect(JSON.stringify(payload.components)).toContain('Not available')
})

test('shows the rest if a section or a promised component fails, times out or is invalid', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({
    timeoutMs: 60,
    logger,
    fetchData: () => [
      text({ label: 'Plan', value: 'Pro' }),
      section('Orders', async () => [text({ label: 'Last', value: '#1' })]),
      section('Errors', () => Promise.reject(new Error(CANARY))),
      section('Usage', () => neverResolves(), { timeoutMs: 20 }),
      section('Slow', () => neverResolves()),
      section('Wrong', () => [{ type: 'chart', label: CANARY }] as any),
      section('Nothing', () => null),
      Promise.resolve(text({ label: 'Later', value: 'yes' })),
      Promise.reject(new Error(CANARY)),
      Promise.resolve(null),
      false,
      null,
      undefined,
    ],
  })
  const response = await app.request(FETCH_DATA)
  const { components } = await readPayload(response)
  expect(response.headers.get('x-sidecard-failure')).toBe(
    'section_failed;component=2, section_timeout;component=3, section_timeout;component=4, section_failed;component=5, section_failed;component=7',
  )
  expect(components.map((one: any) => one.header?.title ?? one.label ?? '?')).toEqual([
    'Plan',
    'Orders',
    'Errors',
    'Usage',
    'Slow',
    'Wrong',
    'Later',
    '?',
  ])
  expect(components[1].components).toEqual([{ type: 'text', label: 'Last', value: '#1' }])
  expect(components[3].components[0].value).toContain('too long')
  expect(logger.lines).toHaveLength(1)
  expect(logger.lines[0]).toMatchObject({
    level: 'error',
    fields: {
      failures: [
        { kind: 'section_failed', section: 'Errors', message: CANARY, stack: expect.any(String) },
        { kind: 'section_timeout', section: 'Usage' },
        { kind: 'section_timeout', section: 'Slow' },
        { kind: 'section_failed', section: 'Wrong' },
        { kind: 'section_failed', message: CANARY },
      ],
    },
  })
  expect(JSON.stringify(components)).not.toContain(CANARY)
})

test('handles the rejection of a promise behind an unreadable child', async () => {
  const unreadable = new Proxy(
    {},
    {
      get() {
        throw new Error(CANARY)
      },
      ownKeys() {
        throw new Error(CANARY)
      },
    },
  )
  const app = createTestApp({
    fetchData: () => [unreadable as never, Promise.reject(new Error(CANARY))],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('invalid_payload')
})

test('loads sections in parallel', async () => {
  const gate = Promise.withResolvers<void>()
  const app = createTestApp({
    fetchData: () => [
      section(
        'Waits for the other',
        async () => (await gate.promise, text({ label: 'a', value: 'a' })),
      ),
      section('Opens the gate', () => (gate.resolve(), text({ label: 'b', value: 'b' }))),
    ],
  })
  const { components } = await readPayload(await app.request(FETCH_DATA))
  expect(components.map((one: any) => one.components[0].label)).toEqual(['a', 'b'])
})

test('aborts the signal of a section only at its own timeout', async () => {
  const reasons: unknown[] = []
  const app = createTestApp({
    fetchData: () => [
      section(
        'Late',
        (signal) => (
          signal.addEventListener('abort', () => reasons.push(signal.reason)),
          neverResolves()
        ),
        { timeoutMs: 10 },
      ),
      section('Fine', async (signal) => text({ label: 'aborted', value: String(signal.aborted) })),
    ],
  })
  const { components } = await readPayload(await app.request(FETCH_DATA))
  expect(reasons).toEqual([expect.objectContaining({ name: 'TimeoutError' })])
  expect(components[1].components[0].value).toBe('false')
})

test.each<[string, object, string]>([
  ['a number', { name: 7, message: 'down' }, 'object'],
  ['a text', { name: 'DatabaseError', message: 'down' }, 'DatabaseError'],
])('a thrown value whose name is %s is logged', async (_, thrown, name) => {
  const logger = createRecordingLogger()
  await createTestApp({ logger, fetchData: () => Promise.reject(thrown) }).request(FETCH_DATA)
  expect(logger.lines).toMatchObject([{ fields: { failures: [{ name, message: 'down' }] } }])
})

test('a result that throws while it is encoded is reported as the payload itself', async () => {
  const onError = vi.fn()
  const header = {
    get title(): string {
      throw new Error(CANARY)
    },
  }
  const fetchData = () => ({ version: '1.0.0', header, components: [] }) as never
  await createTestApp({ onError, fetchData }).request(FETCH_DATA)
  expect(onError.mock.lastCall?.[0].message).toContain('invalid payload. the payload: ')
})
