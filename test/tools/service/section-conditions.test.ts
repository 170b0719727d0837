import { expect, it, onTestFinished } from 'vitest'
import { Hono } from 'hono'
import { noAuth, section, secretHeader, sidecard, text } from 'sidecard'
import type { SidecardOptions } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { serve } from 'sidecard/node'
import { createTestService } from 'sidecard/testing'
import { uniqueName } from '../../helpers/cache.ts'
import { eventually } from '../../helpers/eventually.ts'

const orders = () => [text({ label: 'Order', value: '1' })]

const createApp = (options: Partial<Omit<SidecardOptions, 'actions'>> = {}) =>
  sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [text({ label: 'Plan', value: 'Gold' }), section('Orders', orders)],
    ...options,
  })

it('opens an issue whose section fails, times out or is empty, one call at a time', async () => {
  const service = createTestService(createApp())
  const open = (condition: 'failed' | 'timeout' | 'empty') =>
    service.openIssue({}, { sections: { Orders: condition } })
  const failed = await open('failed')
  expect(failed).toMatchObject({
    outcome: 'failed',
    failures: [{ kind: 'section_failed', section: 'Orders', component: 1 }],
  })
  expect(failed.failures[0]?.error?.message).toBe('You asked for Orders to fail.')
  expect((await open('timeout')).failures).toMatchObject([{ kind: 'section_timeout' }])
  const empty = await open('empty')
  expect(empty).toMatchObject({ outcome: 'rendered', failures: [], findings: [] })
  expect(empty.text).not.toContain('Order')
  expect((await service.openIssue()).text).toContain('Order')
})

it('marks exactly the failures that a condition asks for, and creates findings only for the others', async () => {
  const fail = () => Promise.reject(new Error('the backend is down'))
  const fetchData = () => [
    section('Orders', orders),
    section('Plans', orders),
    section('Invoices', fail),
  ]
  const server = await serve(createApp({ fetchData }), { port: 0, env: { SIDECARD_DEV: '1' } })
  onTestFinished(() => server.close())
  for (const target of [createApp({ fetchData }), server.url]) {
    const service = createTestService(target as string)
    const sections = { Orders: 'failed', Plans: 'timeout' } as const
    // oxlint-disable-next-line no-await-in-loop -- one issue after another
    const mixed = await service.openIssue({}, { sections })
    expect(mixed.failures.map(({ section: title, intended }) => [title, intended])).toEqual([
      ['Orders', true],
      ['Plans', true],
      ['Invoices', undefined],
    ])
    expect(mixed.findings).toMatchObject([
      { message: expect.stringContaining('the backend is down') },
    ])
    expect(mixed.result.message).toContain('the backend is down')
    // oxlint-disable-next-line no-await-in-loop -- as above
    const intended = await service.openIssue({}, { sections: { ...sections, Invoices: 'failed' } })
    expect([intended.outcome, intended.findings]).toEqual(['failed', []])
  }
})

it('marks every failure of a state in which many sections fail, although headers are short', async () => {
  const titles = Array.from({ length: 25 }, (_, index) => `Section ${index}`)
  const app = createApp({ fetchData: () => titles.map((title) => section(title, orders)) })
  const server = await serve(app, { port: 0, env: { SIDECARD_DEV: '1' } })
  onTestFinished(() => server.close())
  const sections = Object.fromEntries(titles.map((title) => [title, 'failed' as const]))
  const { failures } = await createTestService(server.url).openIssue({}, { sections })
  expect(failures.map(({ section: title, intended }) => intended && title)).toEqual(titles)
})

it('opens a state that fails as intended, even if the app responds to failures with a status', async () => {
  const project = {
    customers: { Acme: { ids: { account_id: 'acc_acme' } } },
    states: { 'Orders failed': { customer: 'Acme', sections: { Orders: 'failed' as const } } },
  }
  const service = createTestService(createApp({ errors: 'status' }), { project })
  expect(await service.openState('Orders failed')).toMatchObject({
    outcome: 'status',
    findings: [],
  })
})

it('reaches an app behind another one, and concurrent calls keep their own conditions', async () => {
  const parent = new Hono().route('/', createApp())
  const service = createTestService(parent)
  const sections = { Orders: 'failed' } as const
  const [failed, plain] = await Promise.all([
    service.openIssue({}, { sections }),
    service.openIssue(),
  ])
  expect([failed.outcome, plain.outcome]).toEqual(['failed', 'rendered'])
})

it.each([
  ['names the nearest section', { Order: 'failed' }, createApp(), 'Did you mean "Orders"?'],
  ['lists the sections', { Invoices: 'empty' }, createApp(), 'Its sections are "Orders".'],
  [
    'says that there is none',
    { Orders: 'empty' },
    createApp({ fetchData: () => [] }),
    'the endpoint reports no sections',
  ],
  [
    'gives the reason of a failed response',
    { Orders: 'empty' },
    createApp({ fetchData: () => Promise.reject(new Error('db down')) }),
    'db down',
  ],
] as const)(
  'rejects a condition that was not applied, and %s',
  async (_, sections, app, reason) => {
    const opening = createTestService(app).openIssue({}, { sections })
    await expect(opening).rejects.toMatchObject({
      code: 'section_not_applied',
      message: expect.stringContaining(reason),
    })
  },
)

it.each([
  [{ sections: { Orders: 'slow' } }, "'failed', 'timeout', 'empty'"],
  [{ sections: ['Orders'] }, "'failed', 'timeout', 'empty'"],
  [{ section: { Orders: 'failed' } }, 'Did you mean sections?'],
])('rejects the options %j', async (options, message) => {
  const opening = createTestService(createApp()).openIssue({}, options as never)
  await expect(opening).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(message),
  })
})

it('applies conditions over HTTP in development, and says why not otherwise', async () => {
  const headers = { 'x-key': 'secret' }
  const options = { auth: secretHeader('x-key', 'secret') }
  const open = async (env: Record<string, string>) => {
    const server = await serve(createApp(options), { port: 0, hostname: '127.0.0.1', env })
    onTestFinished(() => server.close())
    const service = createTestService(server.url, { headers })
    return service.openIssue({}, { sections: { Orders: 'failed' } })
  }
  expect((await open({ SIDECARD_DEV: '1' })).outcome).toBe('failed')
  await expect(open({})).rejects.toMatchObject({
    code: 'section_not_applied',
    message: expect.stringContaining('SIDECARD_DEV=1'),
  })
})

it.each<
  [string, (app: ReturnType<typeof createApp>) => Promise<ReturnType<typeof createTestService>>]
>([
  ['in process', async (app) => createTestService(app)],
  [
    'over HTTP',
    async (app) => {
      const options = { port: 0, hostname: '127.0.0.1', env: { SIDECARD_DEV: '1' } }
      const server = await serve(app, options)
      onTestFinished(() => server.close())
      return createTestService(server.url)
    },
  ],
])(
  'shows the failure card and fresh sections %s, before and after a cache is filled',
  async (_, create) => {
    const used: string[] = []
    const store = memoryStore()
    const cache = sectionCache({
      name: uniqueName(),
      store: {
        get: (key) => (used.push('get'), store.get(key)),
        set: (key, value, ttlSeconds) => (used.push('set'), store.set(key, value, ttlSeconds)),
      },
      ttlSeconds: 60,
      staleSeconds: 600,
    })
    let loads = 0
    const load = () => text({ label: 'Load', value: `number ${(loads += 1)}` })
    const titles = ['Orders', 'Invoices']
    const service = await create(
      createApp({ fetchData: () => titles.map((of) => section(of, load, { cache, key: [of] })) }),
    )
    const openStates = async () => {
      for (const condition of ['failed', 'timeout'] as const) {
        const opened = await service.openIssue({}, { sections: { Orders: condition } })
        const kind = `section_${condition}`
        expect(opened.failures).toMatchObject([{ kind, section: 'Orders', stale: false }])
        expect(opened.text).toContain(`number ${loads}`)
      }
    }
    await openStates()
    expect([loads, used]).toEqual([2, []])
    const plain = await service.openIssue()
    expect(loads).toBe(4)
    const isFilled = () => expect(used.filter((access) => access === 'set')).toHaveLength(2)
    await eventually(isFilled)
    const before = [...used]
    await openStates()
    expect([loads, used]).toEqual([6, before])
    expect((await service.openIssue()).text).toBe(plain.text)
  },
)
