import { expect, test, vi } from 'vitest'
import { type FetchDataContext, identify, section, type SectionOptions, text } from 'sidecard'
import { memoryStore } from 'sidecard/cache'
import { createRecordingLogger, createTestApp, readPayload } from '../../helpers/app.ts'
import { createCache, createGate, createMapStore } from '../../helpers/cache.ts'

interface Customer {
  readonly id: unknown
  readonly name: string
}

type Options = Pick<SectionOptions, 'key' | 'shared'>
type Found = Readonly<Record<string, readonly Customer[]>>

const ANN = { id: 'ann', name: 'Ann' }
const BOB = { id: 'bob', name: 'Bob' }
const CUSTOMERS: Found = { 'acc-ann': [ANN], 'ann@a.example': [ANN], 'acc-bob': [BOB] }

/** An app that finds customers by account or email, with cached sections that name them. */
function createApp({
  sections = { Bank: {} },
  found = CUSTOMERS,
  id = ({ id: own }: Customer) => own,
}: {
  readonly sections?: Readonly<Record<string, Options>>
  readonly found?: Found
  readonly id?: ((customer: Customer) => unknown) | 'none'
} = {}) {
  const logger = createRecordingLogger()
  const store = createMapStore()
  const get = vi.fn<typeof store.get>(store.get)
  const cache = createCache({ store: { ...store, get }, ttlSeconds: 60 })
  const loads: string[] = []
  const find = (ctx: FetchDataContext) => {
    const lookUp = async (key: string) => found[key] ?? []
    const lookups = { account_id: lookUp, requester_email: lookUp }
    return identify(ctx, lookups, id === 'none' ? {} : { id })
  }
  const app = createTestApp({
    logger,
    async fetchData(ctx) {
      const { value } = await find(ctx)
      return Object.entries(sections).map(([title, options]) =>
        section(
          title,
          () => {
            loads.push(`${title} ${value.name}`)
            return text({ label: title, value: value.name })
          },
          { cache, ...options },
        ),
      )
    },
  })
  const env = {}
  const open = async (query: string) => {
    const path = `/?request_type=fetch_data&organization_id=o&${query}`
    const { components } = await readPayload(await app.request(path, {}, env))
    await new Promise((resolve) => setTimeout(resolve))
    return components.map((each: any) => each.components[0].value)
  }
  const problems = () =>
    logger.lines.flatMap(({ fields }) => ('problem' in fields ? [fields['problem']] : []))
  return { open, loads, get, store, problems, logger }
}

test('a section of an identified customer needs no key, and one customer shares entries however they were found', async () => {
  const { open, loads, problems } = createApp({ sections: { Bank: {}, Orders: { key: [] } } })
  expect(await open('account_id=acc-ann')).toEqual(['Ann', 'Ann'])
  expect(await open('account_id=acc-bob')).toEqual(['Bob', 'Bob'])
  expect(await open('requester_email=ann@a.example')).toEqual(['Ann', 'Ann'])
  expect(loads.toSorted()).toEqual(['Bank Ann', 'Bank Bob', 'Orders Ann', 'Orders Bob'])
  expect(problems()).toEqual([])
})

test('the lookup and the ID that matched identify the customer if there is no option id', async () => {
  const { open, loads } = createApp({ id: 'none' })
  for (const query of ['account_id=acc-ann', 'requester_email=ann@a.example', 'account_id=acc-ann'])
    await open(query)
  expect(loads).toEqual(['Bank Ann', 'Bank Ann'])
})

test('a shared section is the same for all customers, and its title separates it from others', async () => {
  const { open, loads } = createApp({ sections: { Prices: { shared: true }, Bank: {} } })
  await open('account_id=acc-ann')
  expect(await open('account_id=acc-bob')).toEqual(['Ann', 'Bob'])
  expect(loads.toSorted()).toEqual(['Bank Ann', 'Bank Bob', 'Prices Ann'])
})

test.each<[string, (customer: Customer) => unknown]>([
  ['is undefined', () => undefined],
  ['is blank', () => ' '],
  ['contains undefined', () => 'acc_undefined'],
  ['is NaN', () => Number.NaN],
  ['is an object', () => ({})],
  ['is a promise that rejects', () => Promise.reject(new Error('late'))],
  ['throws', () => { throw new Error('x') }], // prettier-ignore
])('a section of a customer whose id %s loads uncached, with one warning', async (_, id) => {
  const { open, loads, store, logger } = createApp({ id })
  expect(await open('account_id=acc-ann')).toEqual(['Ann'])
  expect(await open('account_id=acc-bob')).toEqual(['Bob'])
  expect([loads.length, store.values.size]).toEqual([2, 0])
  const warnings = logger.lines.filter(({ level }) => level === 'warn')
  expect(warnings.map(({ fields }) => [fields['problem'], fields['part']])).toEqual([
    ['absent_key_part', 'id'],
    ['absent_key_part', 'id'],
  ])
})

test('a number, a bigint and a string with the same digits are different customers', async () => {
  const found = Object.fromEntries([1, 1n, '1'].map((id) => [typeof id, [{ id, name: typeof id }]]))
  const { open } = createApp({ found })
  for (const type of ['number', 'bigint', 'string', 'number'])
    expect(await open(`account_id=${type}`)).toEqual([type])
})

test('an unknown customer causes no access to the store, and evicts nothing', async () => {
  const { open, get, store, loads } = createApp()
  for (let sender = 0; sender < 50; sender += 1) await open(`requester_email=${sender}@x.example`)
  expect([get.mock.calls.length, store.values.size, loads]).toEqual([0, 0, []])
})

test.each([undefined, []])(
  'a section with the key %j and without a customer loads uncached, with one warning, unless it is shared',
  async (key) => {
    const logger = createRecordingLogger()
    const cache = createCache({ store: memoryStore(), ttlSeconds: 60 })
    let loads = 0
    const load = () => text({ label: 'Load', value: String((loads += 1)) })
    const app = createTestApp({
      logger,
      fetchData: () => [
        section('Own', load, { cache, key }),
        section('Prices', load, { cache, key, shared: true }),
      ],
    })
    const path = '/?request_type=fetch_data&organization_id=o'
    for (const _request of [1, 2]) await app.request(path)
    expect(loads).toBe(3)
    const warnings = logger.lines.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ fields }) => [fields['problem'], fields['section']])).toEqual([
      ['missing_key', 'Own'],
      ['missing_key', 'Own'],
    ])
  },
)

test('the keys contain all customers that were found before, in the order of the calls', async () => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 60 })
  const loads: string[] = []
  const app = createTestApp({
    async fetchData(ctx) {
      const slow = createGate()
      const customer = (id: string | undefined, until?: Promise<void>) =>
        identify(
          ctx,
          { account_id: async () => (await until, { id: `=${id}` }) },
          { id: (c) => c.id },
        )
      const { params } = ctx
      const both = Promise.all([
        customer(params.account_id, slow.opened),
        customer(params.requester_id).then((found) => (slow.open(), found)),
      ])
      await both
      const pair = `${params.account_id} ${params.requester_id}`
      return [
        section('Pair', () => (loads.push(pair), text({ label: 'a', value: pair })), { cache }),
      ]
    },
  })
  const open = async (one: string, two: string) => {
    const query = `organization_id=o&account_id=${one}&requester_id=${two}`
    await app.request(`/?request_type=fetch_data&${query}`)
  }
  for (const [one, two] of [['a', 'b'], ['b', 'a'], ['a', 'b']] as const) await open(one, two) // prettier-ignore
  expect(loads).toEqual(['a b', 'b a'])
})

test('identify() inside a section does not change the key of a section that starts later', async () => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 60 })
  const loads: string[] = []
  const app = createTestApp({
    fetchData(ctx) {
      const find = (signal: AbortSignal) =>
        identify(ctx, { issue_id: (id) => ({ id }) }, { id: ({ id }) => id, signal })
      const [direct, later] = [createGate(), createGate()]
      return [
        section('Direct', async (signal) => {
          await find(signal)
          direct.open()
          return []
        }),
        section(
          'Later',
          async (signal) => {
            await Promise.resolve()
            await find(signal)
            later.open()
            return []
          },
          { timeoutMs: 1_000 },
        ),
        Promise.all([direct.opened, later.opened]).then(() =>
          section('Plan', () => (loads.push('Plan'), text({ label: 'a', value: 'b' })), {
            cache,
            key: ['a'],
          }),
        ),
      ]
    },
  })
  for (const issue of [1, 2])
    await app.request(`/?request_type=fetch_data&organization_id=o&issue_id=${issue}`)
  expect(loads).toEqual(['Plan'])
})
