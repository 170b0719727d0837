import { identify, section, text } from 'sidecard'
import { memoryStore, sectionCache, type StoreAdapter } from 'sidecard/cache'
import { expect, test, vi } from 'vitest'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
  send,
} from '../../helpers/actions.ts'
import { FETCH_DATA, readPayload } from '../../helpers/app.ts'
import { createGate, createMapStore } from '../../helpers/cache.ts'

const OTHER_ISSUE = FETCH_DATA.replace('issue-1', 'issue-2')

/** Opens the sidebar of an account, and returns its links. */
const openAccount = (app: Parameters<typeof readLinks>[0], id: string, env: object) =>
  readLinks(app, `/?request_type=fetch_data&organization_id=o&account_id=${id}`, env)

test('a success reloads all sections of the customer that were shown with the button, and no others', async () => {
  const loads: string[] = []
  const options = { store: memoryStore(), ttlSeconds: 600 }
  const [one, two] = [1, 2].map(() => sectionCache({ ...options, name: crypto.randomUUID() }))
  const extendTrial = createExtendTrial()
  const app = createActionApp(
    extendTrial,
    {},
    {
      logger: false,
      fetchData: async (ctx) => {
        const { value } = await identify(
          ctx,
          { account_id: (id) => ({ id }) },
          { id: ({ id }) => id },
        )
        const load = (title: string) => () => {
          loads.push(`${title} ${value.id}`)
          if (title === 'Failing') throw new Error('down')
          return title === 'Trial'
            ? extendTrial.button({ accountId: value.id })
            : text({ label: title, value: value.id })
        }
        return [
          section('Trial', load('Trial'), { cache: one! }),
          section('Orders', load('Orders'), { cache: one! }),
          section('Bank', load('Bank'), { cache: two! }),
          section('Prices', load('Prices'), { cache: two!, shared: true }),
          section('Failing', load('Failing'), { cache: two! }),
        ]
      },
    },
  )
  const env = {}
  const [link] = await openAccount(app, 'a', env)
  await openAccount(app, 'b', env)
  const page = await openPage(app, link!, {}, env)
  expect((await confirmPage(app, page, undefined, undefined, env)).outcome).toBe('done')
  loads.length = 0
  await openAccount(app, 'b', env)
  expect(loads).toEqual(['Prices b', 'Failing b'])
  loads.length = 0
  await openAccount(app, 'a', env)
  expect(loads.toSorted()).toEqual(['Bank a', 'Failing a', 'Orders a', 'Trial a'])
})

test('alsoInvalidates reloads the listed sections of other responses, and only those', async () => {
  const loads: string[] = []
  const cache = sectionCache({ name: crypto.randomUUID(), store: memoryStore(), ttlSeconds: 600 })
  const extendTrial = createExtendTrial({
    alsoInvalidates: () => [
      { cache, section: 'Trial', customer: 'b', key: ['x'] },
      { cache, section: 'Prices' },
      // Absent, so nothing is cached for it.
      { cache, section: 'Orders', customer: undefined },
    ],
  })
  const app = createActionApp(
    extendTrial,
    {},
    {
      fetchData: async (ctx) => {
        const { value } = await identify(
          ctx,
          { account_id: (id) => ({ id }) },
          { id: ({ id }) => id },
        )
        const load = (title: string) => () => {
          loads.push(`${title} ${value.id}`)
          return [text({ label: title, value: value.id })]
        }
        if (value.id === 'a') return [extendTrial.button({ accountId: 'a' })]
        return [
          section('Trial', load('Trial'), { cache, key: ['x'] }),
          section('Orders', load('Orders'), { cache }),
          section('Prices', load('Prices'), { cache, shared: true }),
        ]
      },
    },
  )
  const env = {}
  const [link] = await openAccount(app, 'a', env)
  await openAccount(app, 'b', env)
  await openAccount(app, 'c', env)
  const page = await openPage(app, link!, {}, env)
  await confirmPage(app, page, undefined, undefined, env)
  loads.length = 0
  await openAccount(app, 'b', env)
  await openAccount(app, 'c', env)
  expect(loads).toEqual(['Trial b', 'Prices b'])
})

test('alsoInvalidates that throws does not change the outcome', async () => {
  const alsoInvalidates = () => {
    throw new Error('x')
  }
  const app = createActionApp(createExtendTrial({ alsoInvalidates }))
  const [link] = await readLinks(app)
  expect(await confirmPage(app, await openPage(app, link!))).toMatchObject({ outcome: 'done' })
  expect((await send(app, FETCH_DATA)).status).toBe(200)
})

const ENV = {}

/** An app with a section that says how often the invoice was refunded. */
function createInvoices(
  overrides: object = {},
  store: StoreAdapter = createMapStore(),
  name: string = crypto.randomUUID(),
) {
  const invoices = { refunds: 0, read: async () => undefined as void }
  const refund = createExtendTrial({
    run: () => {
      invoices.refunds += 1
      return []
    },
    ...overrides,
  })
  const cache = sectionCache({ name, store, ttlSeconds: 600, storeTimeoutMs: 60_000 })
  let loads = 0
  const load = async () => {
    loads += 1
    const value = String(invoices.refunds)
    await invoices.read()
    return [text({ label: 'Refunds', value }), refund.button({ accountId: 'a' })]
  }
  const fetchData = () => [section('Invoice', load, { cache, key: ['a'] })]
  const app = createActionApp(refund, {}, { fetchData })
  const open = async (path = FETCH_DATA) => {
    const before = loads
    const { components } = await readPayload(await send(app, path, {}, ENV))
    return `${loads === before ? 'hit' : 'miss'} ${components[0].components[0].value}`
  }
  const confirm = async () => {
    const [link] = await readLinks(app, FETCH_DATA, ENV)
    const page = await openPage(app, link!, {}, ENV)
    return () => confirmPage(app, page, undefined, undefined, ENV)
  }
  return { app, invoices, open, confirm }
}

test.each([
  ['memory', memoryStore],
  ['an outside store', createMapStore],
])('a success is seen on all issues of the same key, with %s', async (_, createStore) => {
  const { open, confirm } = createInvoices({}, createStore())
  expect([await open(), await open(OTHER_ISSUE)]).toEqual(['miss 0', 'hit 0'])
  expect((await (await confirm())()).outcome).toBe('done')
  expect([await open(OTHER_ISSUE), await open()]).toEqual(['miss 1', 'hit 1'])
})

test('a load that began before the success is neither joined nor cached', async () => {
  const { invoices, open, confirm } = createInvoices()
  const submit = await confirm()
  const [started, gate] = [createGate(), createGate()]
  // The entry is from before the page was opened, so the next load needs another account.
  const path = FETCH_DATA
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
  try {
    invoices.read = async () => (started.open(), gate.opened)
    const before = open(path)
    await started.opened
    vi.useRealTimers()
    expect((await submit()).outcome).toBe('done')
    invoices.read = async () => undefined
    expect(await open(path)).toBe('miss 1')
    gate.open()
    expect(await before).toBe('miss 0')
    expect(await open(path)).toBe('hit 1')
  } finally {
    vi.useRealTimers()
  }
})

test('an unknown outcome and a late success are seen at once', async () => {
  const gate = createGate()
  const { invoices, open, confirm } = createInvoices({
    timeoutMs: 20,
    run: async () => {
      invoices.refunds += 1
      await gate.opened
      invoices.refunds += 1
    },
  })
  await open()
  expect((await (await confirm())()).outcome).toBe('unknown')
  expect([await open(), await open()]).toEqual(['miss 1', 'hit 1'])
  gate.open()
  await expect.poll(() => open()).toBe('miss 2')
})

test.each([
  ['done', 'miss 1'],
  ['not_done', 'hit 1'],
])('an agent who states that it was %s makes the next load a %s', async (answer, expected) => {
  const { app, invoices, open, confirm } = createInvoices({
    uniqueKey: () => 'intent',
    timeoutMs: 1_000,
    lateMs: 0,
    run: async () => {
      invoices.refunds += 1
      throw new Error('lost')
    },
  })
  await open()
  const unknown = await (await confirm())()
  expect(unknown.outcome).toBe('unknown')
  expect([await open(), await open()]).toEqual(['miss 1', 'hit 1'])
  const { t, form, seen } = unknown
  const later = { now: () => Date.now() + 6_000 }
  await confirmPage(app, { t, form, seen }, { resolve: answer }, undefined, ENV, later)
  expect(await open()).toBe(expected)
})

test('an outage of the cache does not block an action, and its mark is written later', async () => {
  const map = createMapStore()
  let isDown = false
  const guard =
    <A extends unknown[], R>(run: (...args: A) => R) =>
    (...args: A) => {
      if (isDown) throw new Error('down')
      return run(...args)
    }
  const outside = { get: guard(map.get), set: guard(map.set) }
  const name = crypto.randomUUID()
  const { open, confirm } = createInvoices({}, outside, name)
  const otherProcess = createInvoices({}, map, name)
  await open()
  expect(await otherProcess.open()).toBe('hit 0')
  const submit = await confirm()
  isDown = true
  expect((await submit()).outcome).toBe('done')
  expect([await open(), await open()]).toEqual(['miss 1', 'hit 1'])
  isDown = false
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 })
  try {
    await open()
    otherProcess.invoices.refunds = 1
    expect(await otherProcess.open()).toBe('miss 1')
    expect(await open()).toBe('hit 1')
  } finally {
    vi.useRealTimers()
  }
})

test('an action in another process counts, even before this one has seen its own mark', async () => {
  const map = createMapStore()
  const gate = createGate()
  let isHeld = false
  const slow = {
    ...map,
    async get(name: string) {
      const value = await map.get(name)
      if (isHeld) await gate.opened
      return value
    },
  }
  const { invoices, open, confirm } = createInvoices({}, slow, 'slow store')
  const otherProcess = createInvoices({}, map, 'slow store')
  await open()
  const [submit, submitThere] = [await confirm(), await otherProcess.confirm()]
  isHeld = true
  const opening = open()
  expect((await submit()).outcome).toBe('done')
  isHeld = false
  gate.open()
  expect(await opening).toBe('miss 1')
  expect((await submitThere()).outcome).toBe('done')
  invoices.refunds = 2
  expect(await open()).toBe('miss 2')
})
