import { expect, test, vi } from 'vitest'
import { identify, type Instrument, section, serverTiming, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { FETCH_DATA, createTestApp, readPayload, createRecordingLogger } from '../../helpers/app.ts'
import { eventually } from '../../helpers/eventually.ts'
import { revokedProxy } from '../../helpers/revoked-proxy.ts'

function recordingInstrument() {
  const events: string[] = []
  const instrument: Instrument = {
    async span(name, attributes, run) {
      const title = attributes['sidecard.section']
      const id = title === undefined ? name : `${name} ${title}`
      events.push(`start ${id}`)
      try {
        return await run()
      } catch (error) {
        events.push(`error ${(error as Error).message}`)
        throw error
      } finally {
        events.push(`end ${id}`)
      }
    },
  }
  return { events, instrument }
}

test('spans wrap fetchData and each section, and receive their errors', async () => {
  const { events, instrument } = recordingInstrument()
  const app = createTestApp({
    instrument,
    logger: false,
    fetchData: async () => [section('Orders', () => Promise.reject(new Error('db down')))],
  })
  await app.request(FETCH_DATA)
  expect(events).toEqual([
    'start fetchData',
    'end fetchData',
    'start section Orders',
    'error db down',
    'end section Orders',
  ])
})

test('a span wraps a section with a cache', async () => {
  const { events, instrument } = recordingInstrument()
  const cache = sectionCache({ name: 'spans', store: memoryStore(), ttlSeconds: 60 })
  const app = createTestApp({
    instrument,
    fetchData: () => [section('Orders', () => null, { cache, key: ['a'] })],
  })
  await app.request(FETCH_DATA)
  expect(events).toContain('start section Orders')
})

test('several instruments nest in the given order', async () => {
  const order: string[] = []
  const named = (name: string): Instrument => ({
    async span(_name, _attributes, run) {
      order.push(`> ${name}`)
      const result = await run()
      order.push(`< ${name}`)
      return result
    },
  })
  await createTestApp({ instrument: [named('a'), named('b')] }).request(FETCH_DATA)
  expect(order).toEqual(['> a', '> b', '< b', '< a'])
})

const run = (_name: unknown, _attributes: unknown, work: () => Promise<any>) => work()

test.each<[string, Instrument]>([
  [
    'throws before it runs',
    {
      span: () => {
        throw new Error('x')
      },
    },
  ],
  [
    'throws after it runs',
    {
      span: (...args) => {
        void run(...args)
        throw new Error('x')
      },
    },
  ],
  ['rejects', { span: () => Promise.reject(new Error('x')) }],
  ['never settles', { span: () => new Promise(() => undefined) }],
  ['never runs', { span: (async () => undefined) as never }],
  ['runs twice', { span: async (...args) => (await run(...args), run(...args)) }],
  ['returns another value', { span: (async () => [{ type: 'chart' }]) as never }],
  [
    'throws in onResponse',
    {
      onResponse: () => {
        throw new Error('x')
      },
    },
  ],
  ['rejects in onResponse', { onResponse: () => Promise.reject(new Error('x')) }],
])('an instrument that %s affects nothing', async (_name, instrument) => {
  const fetchData = vi.fn(() => [text({ label: 'Plan', value: 'Pro' })])
  const response = await createTestApp({
    instrument,
    fetchData,
    logger: createRecordingLogger(),
  }).request(FETCH_DATA)
  expect((await readPayload(response)).components[0].value).toBe('Pro')
  expect(fetchData).toHaveBeenCalledTimes(1)
})

const throwsError = () => {
  throw new Error('collector down')
}

test.each<[string, Instrument]>([
  ['throws in span', { span: throwsError }],
  ['rejects in span', { span: () => Promise.reject(new Error('collector down')) }],
  ['rejects after it runs', { span: async (...args) => (await run(...args), throwsError()) }],
  ['throws in onResponse', { onResponse: throwsError }],
  ['rejects in onResponse', { onResponse: () => Promise.reject(new Error('collector down')) }],
])('an instrument that %s is logged', async (_, instrument) => {
  const logger = createRecordingLogger()
  await createTestApp({ instrument, logger }).request(FETCH_DATA)
  await eventually(() =>
    expect(logger.lines).toContainEqual({
      level: 'warn',
      fields: expect.objectContaining({
        msg: 'sidecard instrument',
        error: expect.objectContaining({ message: 'collector down' }),
      }),
    }),
  )
})

test('what an instrument returns is not read, unless it is a promise', async () => {
  const logger = createRecordingLogger()
  const instrument = { span: () => revokedProxy({}), onResponse: () => revokedProxy({}) } as never
  await createTestApp({ instrument, logger }).request(FETCH_DATA)
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(logger.lines.map(({ fields }) => fields['msg'])).toEqual(['sidecard request'])
})

test('an instrument that passes on the error of fetchData is not logged', async () => {
  const logger = createRecordingLogger()
  const { instrument } = recordingInstrument()
  await createTestApp({ instrument, logger, fetchData: throwsError }).request(FETCH_DATA)
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(logger.lines.map(({ fields }) => fields['msg'])).toEqual(['sidecard request'])
})

test('onResponse and the log receive durations, and what failed', async () => {
  const records: any[] = []
  const logger = createRecordingLogger()
  const app = createTestApp({
    logger,
    instrument: { onResponse: (record) => void records.push(record) },
    fetchData: () => [section('Orders', throwsError), Promise.reject(new Error('x'))],
  })
  await app.request(FETCH_DATA)
  const [{ failures, spans, durationMs, startedAtMs }] = records
  expect(failures).toStrictEqual([
    { kind: 'section_failed', stale: false, section: 'Orders' },
    { kind: 'section_failed', stale: false },
  ])
  const durations = [durationMs, logger.lines[0]?.fields['durationMs']]
  for (const span of spans) durations.push(span.startMs, span.durationMs)
  // On a busy machine, too.
  for (const duration of durations) expect(duration >= 0 && duration < 60_000).toBe(true)
  expect(spans.length).toBeGreaterThan(1)
  expect(Math.abs(Date.now() - startedAtMs)).toBeLessThan(60_000)
})

test('onResponse receives one record per data fetch and adds headers', async () => {
  const records: any[] = []
  const app = createTestApp({
    instrument: {
      onResponse(record, headers) {
        records.push(record)
        headers.set('x-extra', 'yes')
      },
    },
    fetchData: () => [section('Orders', () => text({ label: 'Last', value: 'secret content' }))],
  })
  expect((await app.request('/?request_type=verify&code=c')).status).toBe(200)
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-extra')).toBe('yes')
  expect(records).toHaveLength(1)
  expect(records[0]).toMatchObject({
    status: 200,
    params: { account_id: 'account-1' },
    sections: ['Orders'],
    failures: [],
    outcome: undefined,
    isDeveloper: false,
  })
  expect(records[0].spans.map(({ name }: any) => name).toSorted()).toEqual(['fetchData', 'section'])
  expect(JSON.stringify(records)).not.toContain('secret content')
})

test('onResponse receives whether each cached section came from its cache', async () => {
  const received: unknown[] = []
  const cache = sectionCache({ name: 'instrument', store: memoryStore(), ttlSeconds: 60 })
  const app = createTestApp({
    instrument: { onResponse: ({ sectionCaches }) => void received.push(sectionCaches) },
    fetchData: () => [
      section('Orders', () => text({ label: 'Last', value: '#1' }), { cache, key: ['acme'] }),
      section('Usage', () => text({ label: 'Requests', value: '7' })),
    ],
  })
  const env = {}
  await app.request(FETCH_DATA, undefined, env)
  await app.request(FETCH_DATA, undefined, env)
  expect(received).toEqual([
    [{ section: 'Orders', status: 'miss' }],
    [{ section: 'Orders', status: 'hit' }],
  ])
})

test('a span has its start and its duration', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  try {
    const spans: any[] = []
    const app = createTestApp({
      instrument: { onResponse: (record) => void spans.push(...record.spans) },
      fetchData: () => {
        vi.advanceTimersByTime(30)
        return [
          section('Orders', () => {
            vi.advanceTimersByTime(12)
            return [text({ label: 'a', value: 'b' })]
          }),
        ]
      },
    })
    await app.request(FETCH_DATA)
    const shown = spans.map(({ name, startMs, durationMs }) => [name, startMs, durationMs])
    expect(shown).toEqual([
      ['fetchData', 0, 30],
      ['section', 30, 12],
    ])
  } finally {
    vi.useRealTimers()
  }
})

test('an instrument that fails while the work fails is logged as well', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({
    logger,
    instrument: {
      async span(_name, _attributes, work) {
        await work().catch(() => undefined)
        throw new Error('exporter down')
      },
    },
    fetchData: () => Promise.reject(new Error('db down')),
  })
  await app.request(FETCH_DATA)
  await eventually(() => {
    const line = logger.lines.find(({ fields }) => fields['msg'] === 'sidecard instrument')
    expect(line?.fields['error']).toMatchObject({ message: 'exporter down' })
  })
})

test('Server-Timing lists the spans by their start', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  try {
    const app = createTestApp({
      instrument: serverTiming({ always: true }),
      fetchData: async (ctx) => {
        vi.advanceTimersByTime(5)
        await identify(ctx, { account_id: () => ({ id: 'a' }) })
        return [text({ label: 'a', value: 'b' })]
      },
    })
    const timing = (await app.request(FETCH_DATA)).headers.get('server-timing')!
    expect(timing.split(', ').map((entry) => entry.split(';')[0])).toEqual([
      'fetchData',
      'identify',
      'total',
    ])
  } finally {
    vi.useRealTimers()
  }
})

test('the headers of an instrument are added to those of middleware', async () => {
  const app = createTestApp({
    instrument: { onResponse: (_record, headers) => headers.set('server-timing', 'total') },
    middleware: [
      async (c, next) => {
        await next()
        c.header('server-timing', 'cache')
      },
    ],
  })
  const { headers } = await app.request(FETCH_DATA)
  expect(headers.get('server-timing')).toBe('cache, total')
})

test('a request of a host without a signal is observed as well', async () => {
  const onResponse = vi.fn()
  const request = new Request(`http://localhost${FETCH_DATA}`)
  Object.defineProperty(request, 'signal', { value: undefined })
  const response = await createTestApp({ instrument: { onResponse } }).fetch(request)
  expect(response.status).toBe(200)
  expect(onResponse).toHaveBeenCalledTimes(1)
})

test.each<[string, () => void | Promise<void>, number]>([
  ['no promise', () => undefined, 0],
  ['a promise', async () => undefined, 1],
])(
  'the host waits for an instrument only if it returns a promise: %s',
  async (_, onResponse, count) => {
    const waitUntil = vi.fn()
    const app = createTestApp({ instrument: { onResponse } })
    const executionCtx = { waitUntil, passThroughOnException: () => undefined, props: {} }
    await app.request(FETCH_DATA, {}, {}, executionCtx)
    expect(waitUntil).toHaveBeenCalledTimes(count)
  },
)
