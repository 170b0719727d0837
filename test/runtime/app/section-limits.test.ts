import { expect, test, vi } from 'vitest'
import { divider, section, text } from 'sidecard'
import { createTestApp, FETCH_DATA, readPayload } from '../../helpers/app.ts'

test('sections may fill the limit of bytes exactly', async () => {
  const fetchData = () => [
    text({ label: 'a', value: 'é' }),
    section('One', () => text({ label: 'b', value: 'é' })),
    // Larger than the failure card that replaces it.
    section('Two', () => text({ label: 'c', value: 'é'.repeat(500) })),
  ]
  const whole = await (await createTestApp({ fetchData }).request(FETCH_DATA)).text()
  const bytes = new TextEncoder().encode(whole).length
  const failure = async (maxBodyBytes: number) =>
    (await createTestApp({ fetchData, limits: { maxBodyBytes } }).request(FETCH_DATA)).headers.get(
      'x-sidecard-failure',
    )
  expect(await failure(bytes)).toBeNull()
  expect(await failure(bytes - 1)).toBe('section_failed;component=2')
})

test('a payload of ASCII may fill the limit of bytes exactly', async () => {
  const fetchData = () => [text({ label: 'a', value: 'b' })]
  const { length } = await (await createTestApp({ fetchData }).request(FETCH_DATA)).text()
  const failure = async (maxBodyBytes: number) =>
    (await createTestApp({ fetchData, limits: { maxBodyBytes } }).request(FETCH_DATA)).headers.get(
      'x-sidecard-failure',
    )
  expect(await failure(length)).toBeNull()
  expect(await failure(length - 1)).toBe('payload_too_large')
})

test('a section over a limit does not affect the others', async () => {
  const app = createTestApp({
    limits: { maxBodyBytes: 2_000, maxComponents: 20 },
    fetchData: () => [
      text({ label: 'Plan', value: 'Pro' }),
      section('Huge', () => text({ label: 'x', value: 'é'.repeat(2_000) })),
      section('Many', () => Array.from({ length: 30 }, () => text({ label: 'x', value: 'y' }))),
      section('Fine', () => text({ label: 'ok', value: 'yes' })),
    ],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe(
    'section_failed;component=1, section_failed;component=2',
  )
  const { components } = await readPayload(response)
  expect(components[0].value).toBe('Pro')
  expect(components[3].components[0].value).toBe('yes')
})

test.each([
  [
    'components',
    { maxComponents: 20 },
    () => [text({ label: 'x', value: 'y'.repeat(500) })],
    () => Array.from({ length: 10 }, () => divider()),
  ],
  [
    'bytes',
    { maxBodyBytes: 2_000 },
    () => Array.from({ length: 4 }, () => divider()),
    () => [text({ label: 'x', value: 'y'.repeat(2_000) })],
  ],
])('sections whose failure cards would need more %s are kept', async (_, limits, fine, large) => {
  const app = createTestApp({
    limits,
    fetchData: () => [
      ...Array.from({ length: 8 }, (_item, index) => section(`Fine ${index}`, fine)),
      section('Large', large),
    ],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('section_failed;component=8')
  expect((await readPayload(response)).components).toHaveLength(9)
})

test('sections alone may fill the limit of bytes exactly', async () => {
  const fetchData = () => [
    section('One', () => text({ label: 'a', value: 'b' })),
    section('Empty', () => []),
    section('Two', () => text({ label: 'e', value: 'f'.repeat(500) })),
  ]
  const { length } = await (await createTestApp({ fetchData }).request(FETCH_DATA)).text()
  const failure = async (maxBodyBytes: number) =>
    (await createTestApp({ fetchData, limits: { maxBodyBytes } }).request(FETCH_DATA)).headers.get(
      'x-sidecard-failure',
    )
  expect(await failure(length)).toBeNull()
  expect(await failure(length - 1)).toBe('section_failed;component=1')
})

test('at any limit of bytes, the response fits, or its failure card is all that it shows', async () => {
  const fetchData = () => [
    text({ label: 'Plan', value: 'Pro' }),
    section('Large', () => text({ label: 'x', value: 'y'.repeat(400) })),
    section('Small', () => text({ label: 'x', value: 'y'.repeat(60) })),
  ]
  const complete = await (await createTestApp({ fetchData }).request(FETCH_DATA)).text()
  const seen = new Set<string>()
  for (let maxBodyBytes = complete.length; maxBodyBytes > 0; maxBodyBytes -= 5) {
    const app = createTestApp({ fetchData, limits: { maxBodyBytes } })
    // oxlint-disable-next-line no-await-in-loop -- one size after the other
    const response = await app.request(FETCH_DATA)
    const failure = response.headers.get('x-sidecard-failure')
    // oxlint-disable-next-line no-await-in-loop -- one size after the other
    const body = await response.text()
    seen.add(String(failure))
    const isReplaced = failure === 'payload_too_large'
    expect(isReplaced ? JSON.parse(body).components.length : 1).toBe(1)
    expect(isReplaced ? 0 : body.length).toBeLessThanOrEqual(maxBodyBytes)
  }
  expect([...seen]).toEqual(['null', 'section_failed;component=1', 'payload_too_large'])
})

test('a section leaves space for the failure card of a later one', async () => {
  const app = createTestApp({
    limits: { maxComponents: 12 },
    fetchData: () => [
      section('First', () =>
        Array.from({ length: 9 }, (_, index) => text({ label: `x${index}`, value: 'y' })),
      ),
      section('Second', () =>
        Array.from({ length: 8 }, (_, index) => text({ label: `x${index}`, value: 'y' })),
      ),
    ],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('section_failed;component=0')
  const { components } = await readPayload(response)
  expect(components[1].components).toHaveLength(8)
})

test('a failed section is reported once, even if the rest is over a limit', async () => {
  const reported: unknown[] = []
  const app = createTestApp({
    limits: { maxBodyBytes: 900 },
    fetchData: () => [
      section('Failed', () => {
        throw new Error('db down')
      }),
      section('Huge', () => text({ label: 'x', value: 'y'.repeat(2_000) })),
    ],
    onError: (_error, _ctx, { section: title }) => {
      reported.push(title)
      return title === 'Failed' ? [text({ label: 'x', value: 'z'.repeat(800) })] : undefined
    },
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe(
    'section_failed;component=0, section_failed;component=1',
  )
  expect(reported).toEqual(['Failed', 'Huge'])
})

test('a failure card that replaces the whole payload names no replaced component', async () => {
  const app = createTestApp({
    limits: { maxBodyBytes: 400 },
    fetchData: () => [
      text({ label: 'x', value: 'y'.repeat(350) }),
      section('Failed', () => {
        throw new Error('db down')
      }),
    ],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('payload_too_large, section_failed')
})

test('components outside of sections are never replaced one by one', async () => {
  const app = createTestApp({
    limits: { maxComponents: 10 },
    fetchData: () => [
      Array.from({ length: 12 }, (_, index) => text({ label: `x${index}`, value: 'y' })),
      section('Orders', () => [text({ label: 'a', value: 'b' })]),
    ],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('payload_too_large')
  expect((await readPayload(response)).components).toHaveLength(1)
})

test('an app may have as many sections as components', async () => {
  const failure = async (count: number) => {
    const fetchData = () => Array.from({ length: count }, () => section('Empty', () => []))
    const app = createTestApp({ fetchData, limits: { maxComponents: 3 } })
    return (await app.request(FETCH_DATA)).headers.get('x-sidecard-failure')
  }
  expect([await failure(3), await failure(4)]).toEqual([null, 'payload_too_large'])
})

test.each([undefined, 5_000])(
  'the signal of a section with the timeout %s aborts when the caller disconnects',
  async (timeoutMs) => {
    const caller = new AbortController()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const load = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => resolve(signal.reason))
      caller.abort('gone')
      return [text({ label: 'a', value: 'b' })]
    }
    const app = createTestApp({ fetchData: () => [section('Orders', load, { timeoutMs })] })
    await app.request(FETCH_DATA, { signal: caller.signal })
    expect(await promise).toBe('gone')
  },
)

test.each<[string, () => unknown, string]>([
  ['a title', () => section(7 as never, () => []), 'section(): title: must be a string'],
  ['no load', () => section('a', undefined as never), 'section(): load: must be a function'],
  [
    'a promise of a load',
    () => section('a', Promise.resolve() as never, { timeoutMs: 5 }),
    'section(): load: is a promise: await it',
  ],
])('section() with %s that is wrong is rejected at the call', (_, create, message) => {
  expect(create).toThrow(message)
})

const texts = (count: number, value = 'b') =>
  Array.from({ length: count }, () => text({ label: 'a', value }))

test('a section that is smaller than its failure card stays, so that a later one has space for its own', async () => {
  const down = () => Promise.reject(new Error('down'))
  const open = async (load: () => unknown, maxBodyBytes?: number) => {
    const fetchData = () => [
      section('Empty', () => []),
      section('Small', () => texts(2)),
      section('Large', load as never),
    ]
    const app = createTestApp({ fetchData, ...(maxBodyBytes && { limits: { maxBodyBytes } }) })
    const response = await app.request(FETCH_DATA)
    return { failure: response.headers.get('x-sidecard-failure'), text: await response.text() }
  }
  const { length } = (await open(down)).text
  const { failure } = await open(() => texts(1, 'b'.repeat(9_000)), length)
  expect(failure).toBe('section_failed;component=1')
})

test('a section that is as long as its failure card, with fewer components, stays', async () => {
  const open = async (load: () => unknown, maxComponents?: number) => {
    const fetchData = () => [section('One', load as never), section('Many', () => texts(4))]
    const app = createTestApp({ fetchData, ...(maxComponents && { limits: { maxComponents } }) })
    const response = await app.request(FETCH_DATA)
    const { components } = await readPayload(response)
    const { length } = JSON.stringify(components[0])
    return { length, failure: response.headers.get('x-sidecard-failure') }
  }
  const card = await open(() => Promise.reject(new Error('down')))
  const short = await open(() => texts(1))
  const load = () => texts(1, 'b'.repeat(1 + card.length - short.length))
  expect(await open(load, 5)).toEqual({
    length: card.length,
    failure: 'section_failed;component=1',
  })
})

test('a failure card replaces a section with few bytes and many components', async () => {
  const app = createTestApp({
    limits: { maxComponents: 12 },
    fetchData: () =>
      ['One', 'Two'].map((title) =>
        section(title, () => Array.from({ length: 6 }, () => divider())),
      ),
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('section_failed;component=1')
})

test('sections with many short components may fill the limit of bytes exactly', async () => {
  const fetchData = () => [section('Lines', () => Array.from({ length: 6 }, () => divider()))]
  const { length } = await (await createTestApp({ fetchData }).request(FETCH_DATA)).text()
  const response = await createTestApp({ fetchData, limits: { maxBodyBytes: length } }).request(
    FETCH_DATA,
  )
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
})

test('if not even the failure cards fit, only the payload fails', async () => {
  const onError = vi.fn()
  const app = createTestApp({
    limits: { maxBodyBytes: 300 },
    onError,
    fetchData: () => ['One', 'Two'].map((title) => section(title, () => texts(1, 'b'.repeat(500)))),
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('payload_too_large')
  expect(onError.mock.calls.map(([, , { kind }]) => kind)).toEqual(['payload_too_large'])
})

test('a long component outside of a section is never replaced alone', async () => {
  const app = createTestApp({
    limits: { maxBodyBytes: 900 },
    fetchData: () => [...texts(1, 'b'.repeat(2_000)), section('Small', () => texts(1))],
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('payload_too_large')
})
