import { expect, test, vi } from 'vitest'
import { section, text } from 'sidecard'
import { validatePayload } from 'sidecard/schema'
import { FETCH_DATA, makeApp, never, payloadOf, recordingLogger } from '../helpers/app.ts'

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

const FAULTS: [name: string, fetchData: () => any, kind: string][] = [
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
  ['never settles', () => never(), 'timeout'],
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
    'callback_failed',
  ],
  ['returns an unknown component', () => [{ type: 'chart', label: CANARY }], 'invalid_payload'],
  ['returns a function as a child', () => [() => CANARY], 'invalid_payload'],
]

test.each(FAULTS)(
  'answers with a valid payload and leaks nothing when a callback %s',
  async (_name, fetchData, kind) => {
    const logger = recordingLogger()
    const response = await makeApp({ fetchData, logger, timeoutMs: 50 }).request(FETCH_DATA)
    const body = await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('x-sidecard-fault')).toBe(kind)
    expect(validatePayload(JSON.parse(body)).ok).toBe(true)
    const traceId = response.headers.get('x-sidecard-trace')
    expect(traceId).toMatch(/^[0-9a-f-]{36}$/)
    expect(body).toContain(traceId)
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { outcome: kind, traceId } }])
    const everything = body + JSON.stringify([...response.headers]) + JSON.stringify(logger.lines)
    expect(everything).not.toContain(CANARY)
    expect(everything).not.toContain('jane')
    expect(everything).not.toContain('account-1')
  },
)

test.each(FAULTS)(
  'answers with a problem document under errors: status when a callback %s',
  async (_name, fetchData, kind) => {
    const response = await makeApp({ fetchData, errors: 'status', timeoutMs: 50 }).request(
      FETCH_DATA,
    )
    expect(response.status).toBe(kind === 'timeout' ? 504 : 500)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const body = await response.text()
    expect(JSON.parse(body).traceId).toBe(response.headers.get('x-sidecard-trace'))
    expect(body).not.toContain(CANARY)
  },
)

test('never costs a neighbour its answer', async () => {
  let request = 0
  const app = makeApp({
    timeoutMs: 100,
    fetchData: () => {
      const fault = FAULTS[request++ % (FAULTS.length + 1)]
      return fault === undefined ? [text({ label: 'Plan', value: 'Pro' })] : fault[1]()
    },
  })
  const answers = await Promise.all(
    Array.from({ length: FAULTS.length + 1 }, async () => payloadOf(await app.request(FETCH_DATA))),
  )
  expect(answers.at(-1).components).toEqual([{ type: 'text', label: 'Plan', value: 'Pro' }])
})

test('aborts the signal at the deadline, with a reason', async () => {
  const aborted = vi.fn()
  const app = makeApp({
    timeoutMs: 30,
    fetchData: (ctx) => {
      ctx.signal.addEventListener('abort', () => aborted(ctx.signal.reason))
      return never()
    },
  })
  await app.request(FETCH_DATA)
  expect(aborted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'TimeoutError' }))
})

test('hears nothing of a callback that rejects after its deadline', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const logger = recordingLogger()
  await makeApp({ timeoutMs: 20, logger, fetchData: () => promise }).request(FETCH_DATA)
  reject(new Error(CANARY))
  await Promise.allSettled([promise])
  expect(logger.lines).toHaveLength(1)
})

test('passes each fault to onError as it was thrown', async () => {
  const onError = vi.fn()
  const error = new Error(CANARY)
  await makeApp({ onError, fetchData: () => Promise.reject(error) }).request(FETCH_DATA)
  expect(onError).toHaveBeenCalledExactlyOnceWith(
    error,
    expect.objectContaining({ params: expect.anything() }),
  )
  await makeApp({
    onError,
    fetchData: () => [{ type: 'badge', label: 'x', items: [{ value: 'y', color: 'grey' }] }] as any,
  }).request(FETCH_DATA)
  expect(onError).toHaveBeenLastCalledWith(
    expect.objectContaining({
      code: 'invalid_payload',
      issues: [expect.objectContaining({ path: 'components[0].items[0].color' })],
    }),
    expect.anything(),
  )
})

test('shows the children that onError returns', async () => {
  const app = makeApp({
    fetchData: () => Promise.reject(new Error(CANARY)),
    onError: () => [text({ label: 'Billing', value: 'is down' })],
  })
  const response = await app.request(FETCH_DATA)
  expect((await payloadOf(response)).components).toEqual([
    { type: 'text', label: 'Billing', value: 'is down' },
  ])
  expect(response.headers.get('x-sidecard-fault')).toBe('callback_failed')
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
  ['never settles', () => never()],
])('shows the standard card when onError %s', async (_name, onError) => {
  const payload = await payloadOf(
    await makeApp({ onError, fetchData: () => Promise.reject(new Error('x')) }).request(FETCH_DATA),
  )
  expect(JSON.stringify(payload.components)).toContain('Not available')
})

test('shows the rest when a section or a promised component fails, is late or is wrong', async () => {
  const logger = recordingLogger()
  const app = makeApp({
    timeoutMs: 60,
    logger,
    fetchData: () => [
      text({ label: 'Plan', value: 'Pro' }),
      section('Orders', async () => [text({ label: 'Last', value: '#1' })]),
      section('Errors', () => Promise.reject(new Error(CANARY))),
      section('Usage', () => never(), { timeoutMs: 20 }),
      section('Slow', () => never()),
      section('Wrong', () => [{ type: 'chart', label: CANARY }] as any),
      section('Nothing', () => undefined),
      Promise.resolve(text({ label: 'Later', value: 'yes' })),
      Promise.reject(new Error(CANARY)),
      Promise.resolve(null),
      false,
      null,
      undefined,
    ],
  })
  const response = await app.request(FETCH_DATA)
  const { components } = await payloadOf(response)
  expect(response.headers.get('x-sidecard-fault')).toBe('section_failed')
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
  const children = logger.lines[0]!.fields['children'] as { index: number }[]
  expect(children.map((child) => child.index).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 8])
  expect(JSON.stringify([components, logger.lines])).not.toContain(CANARY)
})

test('hears the rejection of a promise that stands behind a child that cannot be read', async () => {
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
  const app = makeApp({
    fetchData: () => [unreadable as never, Promise.reject(new Error(CANARY))],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-fault')).toBe('invalid_payload')
})

test('loads sections side by side', async () => {
  const gate = Promise.withResolvers<void>()
  const app = makeApp({
    fetchData: () => [
      section(
        'Waits for the other',
        async () => (await gate.promise, text({ label: 'a', value: 'a' })),
      ),
      section('Opens the gate', () => (gate.resolve(), text({ label: 'b', value: 'b' }))),
    ],
  })
  const { components } = await payloadOf(await app.request(FETCH_DATA))
  expect(components.map((one: any) => one.components[0].label)).toEqual(['a', 'b'])
})

test('aborts the signal of a section at its own deadline only', async () => {
  const reasons: unknown[] = []
  const app = makeApp({
    fetchData: () => [
      section(
        'Late',
        (signal) => (signal.addEventListener('abort', () => reasons.push(signal.reason)), never()),
        { timeoutMs: 10 },
      ),
      section('Fine', async (signal) => text({ label: 'aborted', value: String(signal.aborted) })),
    ],
  })
  const { components } = await payloadOf(await app.request(FETCH_DATA))
  expect(reasons).toEqual([expect.objectContaining({ name: 'TimeoutError' })])
  expect(components[1].components[0].value).toBe('false')
})
