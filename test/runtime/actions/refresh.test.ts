import { section, text } from 'sidecard'
import { memoryStore, payloadCache, sectionCache, type StoreAdapter } from 'sidecard/cache'
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

test('a success replaces the payload of the issue at its next load, and no other', async () => {
  let loads = 0
  const extendTrial = createExtendTrial()
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 600, staleSeconds: 600 })
  const fetchData = () => {
    loads += 1
    return [extendTrial.button({ accountId: 'a' })]
  }
  const app = createActionApp(extendTrial, {}, { cache, fetchData })
  const env = {}
  // The service sends its own parameters, which the page does not know.
  const open = (path: string) => readLinks(app, `${path}&region=eu`, env)
  const [link] = await open(FETCH_DATA)
  await open(OTHER_ISSUE)
  await open(FETCH_DATA)
  expect(loads).toBe(2)
  const page = await openPage(app, link!, {}, env)
  expect(await confirmPage(app, page, undefined, undefined, env)).toMatchObject({ outcome: 'done' })
  await open(OTHER_ISSUE)
  expect(loads).toBe(2)
  await open(FETCH_DATA)
  expect(loads).toBe(3)
  await open(FETCH_DATA)
  expect(loads).toBe(3)
})

test('refresh reloads the named section entries, and only those', async () => {
  const loads: string[] = []
  const cache = sectionCache({ name: crypto.randomUUID(), store: memoryStore(), ttlSeconds: 600 })
  const extendTrial = createExtendTrial({
    // The first key is absent, so nothing is cached under it.
    refresh: ({ accountId }: any) => [
      [cache, [null]],
      [cache, [accountId]],
    ],
  })
  const app = createActionApp(
    extendTrial,
    {},
    {
      fetchData: ({ params }) => {
        const id = params.account_id!
        const load = () => (loads.push(id), [text({ label: 'Trial', value: id })])
        return [extendTrial.button({ accountId: id }), section('Trial', load, { cache, key: [id] })]
      },
    },
  )
  const env = {}
  const open = (id: string) =>
    readLinks(app, `/?request_type=fetch_data&organization_id=o&account_id=${id}`, env)
  const [link] = await open('a')
  await open('b')
  await open('a')
  const page = await openPage(app, link!, {}, env)
  await confirmPage(app, page, undefined, undefined, env)
  await open('a')
  await open('b')
  expect(loads).toEqual(['a', 'b', 'a'])
})

test('a refresh that fails does not change the outcome', async () => {
  const refresh = () => {
    throw new Error('x')
  }
  const app = createActionApp(createExtendTrial({ refresh }))
  const [link] = await readLinks(app)
  expect(await confirmPage(app, await openPage(app, link!))).toMatchObject({ outcome: 'done' })
  expect((await send(app, FETCH_DATA)).status).toBe(200)
})

const ENV = {}

/** An app whose payload says how often the invoice was refunded, under one key for each account. */
function createInvoices(overrides: object = {}, store: StoreAdapter = createMapStore()) {
  const invoices = { refunds: 0, read: async () => undefined as void }
  const refund = createExtendTrial({
    run: () => {
      invoices.refunds += 1
      return []
    },
    ...overrides,
  })
  const cache = payloadCache({
    store,
    ttlSeconds: 600,
    storeTimeoutMs: 20,
    key: ({ params }) => [params.account_id],
  })
  const fetchData = async () => {
    const value = String(invoices.refunds)
    await invoices.read()
    return [text({ label: 'Refunds', value }), refund.button({ accountId: 'a' })]
  }
  const app = createActionApp(refund, {}, { cache, fetchData })
  const open = async (path = FETCH_DATA) => {
    const response = await send(app, path, {}, ENV)
    const { components } = await readPayload(response)
    return `${response.headers.get('x-sidecard-cache')} ${components[0].value}`
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
    once: () => 'intent',
    resolve: () => true,
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
  await confirmPage(app, { t, form, seen }, { resolve: answer }, undefined, ENV)
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
  const { open, confirm } = createInvoices({}, outside)
  const otherProcess = createInvoices({}, map)
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
  const { invoices, open, confirm } = createInvoices({}, slow)
  const otherProcess = createInvoices({}, map)
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
