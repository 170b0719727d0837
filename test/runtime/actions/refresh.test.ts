import { identify, section, text } from 'sidecard'
import { memoryStore, type SectionCache, sectionCache, type StoreAdapter } from 'sidecard/cache'
import { expect, test } from 'vitest'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
  send,
} from '../../helpers/actions.ts'
import { createRecordingLogger, FETCH_DATA, readPayload } from '../../helpers/app.ts'
import { createGate, createMapStore, isEntryName } from '../../helpers/cache.ts'
import { createDesk } from '../../helpers/desk.ts'

const ENV = {}
type App = ReturnType<typeof createActionApp>
const createCache = (store: StoreAdapter = createMapStore()) =>
  sectionCache({ name: crypto.randomUUID(), store, ttlSeconds: 600, storeTimeoutMs: 60_000 })

/** Opens a link, and confirms its page when it is called. */
async function openForm(app: App, link: string | undefined) {
  const page = await openPage(app, link!, {}, ENV)
  return async () => (await confirmPage(app, page, undefined, undefined, ENV)).outcome
}

/** An app with cached sections of a customer, whom the account ID identifies. */
function createSections(
  overrides: Record<string, unknown>,
  list: (load: (title: string) => () => any, id: string) => any[],
) {
  const loads: string[] = []
  const extendTrial = createExtendTrial(overrides)
  const customer = [{ account_id: (id: string) => ({ id }) }, { id: (one: any) => one.id }] as const
  const app = createActionApp(
    extendTrial,
    {},
    {
      fetchData: async (ctx) => {
        const { id } = (await identify(ctx, ...customer)).value
        const load = (title: string) => () => {
          loads.push(`${title} ${id}`)
          if (title === 'Failing') throw new Error('down')
          if (title === 'Trial') return [extendTrial.button({ accountId: id })]
          return [text({ label: title, value: id })]
        }
        return list(load, id)
      },
    },
  )
  /** Opens the sidebar of an account. Returns its links, and what was loaded. */
  const open = async (id: string) => {
    loads.length = 0
    const path = `/?request_type=fetch_data&organization_id=o&account_id=${id}`
    return { links: await readLinks(app, path, ENV), loads: [...loads].toSorted() }
  }
  return { app, open }
}

test('a success reloads all sections of the customer that were shown with the button, and no others', async () => {
  const [one, two] = [createCache(memoryStore()), createCache()]
  const { app, open } = createSections({}, (load) => [
    section('Trial', load('Trial'), { cache: one }),
    section('Orders', load('Orders'), { cache: one }),
    section('Bank', load('Bank'), { cache: two }),
    section('Prices', load('Prices'), { cache: two, shared: true }),
    section('Failing', load('Failing'), { cache: two }),
  ])
  const { links } = await open('a')
  await open('b')
  expect(await (await openForm(app, links[0]))()).toBe('done')
  expect((await open('b')).loads).toEqual(['Failing b', 'Prices b'])
  expect((await open('a')).loads).toEqual(['Bank a', 'Failing a', 'Orders a', 'Trial a'])
})

test('alsoInvalidates reloads the listed sections of other responses, and only those', async () => {
  const cache = createCache()
  const alsoInvalidates = () => [
    { cache, section: 'Plan', customer: 'b', key: ['x'] },
    { cache, section: 'Prices' },
    // Absent, so nothing is cached for it.
    { cache, section: 'Orders', customer: undefined },
  ]
  const { app, open } = createSections({ alsoInvalidates }, (load, id) => {
    if (id === 'a') return load('Trial')()
    return [
      section('Plan', load('Plan'), { cache, key: ['x'] }),
      section('Orders', load('Orders'), { cache }),
      section('Prices', load('Prices'), { cache, shared: true }),
    ]
  })
  const { links } = await open('a')
  for (const id of ['b', 'c']) await open(id)
  await (
    await openForm(app, links[0])
  )()
  expect((await open('b')).loads).toEqual(['Plan b', 'Prices b'])
  expect((await open('c')).loads).toEqual([])
})

test.each<[string, () => unknown, string]>([
  ['throws', () => expect.unreachable(), 'not_refreshed'],
  ['rejects', () => Promise.reject(new Error('x')), 'not_refreshed'],
  ['names a cache that cannot invalidate', () => [{ cache: {}, section: 'Orders' }], ''],
])('alsoInvalidates that %s does not change the outcome', async (_, alsoInvalidates, problem) => {
  const desk = createDesk({ alsoInvalidates })
  expect(await desk.confirm(await desk.open())).toMatchObject({ outcome: 'done' })
  expect(desk.problems()).toEqual(problem === '' ? [] : [problem])
})

/** An app with a section that says how often the invoice was refunded. */
function createInvoices(overrides: object = {}, store?: StoreAdapter) {
  const invoices = { refunds: 0 }
  const run = () => void (invoices.refunds += 1)
  const refund = createExtendTrial({ run, ...overrides })
  const cache = createCache(store)
  let loads = 0
  const load = () => {
    loads += 1
    const value = String(invoices.refunds)
    return [text({ label: 'Refunds', value }), refund.button({ accountId: 'a' })]
  }
  const fetchData = () => [section('Invoice', load, { cache, key: ['a'] })]
  const app = createActionApp(refund, {}, { fetchData })
  const open = async (path = FETCH_DATA) => {
    const before = loads
    const { components } = await readPayload(await send(app, path, {}, ENV))
    return `${loads === before ? 'hit' : 'miss'} ${components[0].components[0].value}`
  }
  const openConfirm = async () => openForm(app, (await readLinks(app, FETCH_DATA, ENV))[0])
  return { app, invoices, open, openConfirm }
}

test('an unknown outcome and a late success are seen at once', async () => {
  const gate = createGate()
  const run = async () => {
    invoices.refunds += 1
    await gate.opened
    invoices.refunds += 1
  }
  const { invoices, open, openConfirm } = createInvoices({ timeoutMs: 20, run })
  await open()
  expect(await (await openConfirm())()).toBe('unknown')
  expect([await open(), await open()]).toEqual(['miss 1', 'hit 1'])
  gate.open()
  await expect.poll(() => open()).toBe('miss 2')
})

test.each([
  ['done', 'miss 1'],
  ['not_done', 'hit 1'],
])('an agent who states that it was %s makes the next load a %s', async (resolve, expected) => {
  const run = async () => {
    invoices.refunds += 1
    throw new Error('lost')
  }
  const overrides = { uniqueKey: () => 'intent', timeoutMs: 1_000, lateMs: 0, run }
  const { app, invoices, open } = createInvoices(overrides)
  await open()
  const page = await openPage(app, (await readLinks(app, FETCH_DATA, ENV))[0]!, {}, ENV)
  const unknown = await confirmPage(app, page, undefined, undefined, ENV)
  expect(unknown.outcome).toBe('unknown')
  expect([await open(), await open()]).toEqual(['miss 1', 'hit 1'])
  const later = { now: () => Date.now() + 6_000 }
  await confirmPage(app, unknown, { resolve }, undefined, ENV, later)
  expect(await open()).toBe(expected)
})

test('an outage of the cache does not block an action', async () => {
  const map = createMapStore()
  let isDown = false
  const guard =
    (run: any) =>
    (...args: unknown[]) =>
      isDown ? Promise.reject(new Error('down')) : run(...args)
  const { open, openConfirm } = createInvoices({}, { get: guard(map.get), set: guard(map.set) })
  await open()
  const confirm = await openConfirm()
  isDown = true
  expect(await confirm()).toBe('done')
  expect([await open(), await open()]).toEqual(['miss 1', 'hit 1'])
})

/** An app with a button and some cached sections, and the titles that were loaded. */
function createShown(titles: readonly string[], names = ['shown'], store = createMapStore()) {
  const logger = createRecordingLogger()
  const loads: string[] = []
  const caches = names.map((name, index) =>
    sectionCache({ name, store, ttlSeconds: 600 + index * 100 }),
  )
  const extendTrial = createExtendTrial()
  const load = (title: string) => () => (loads.push(title), text({ label: 'a', value: title }))
  const fetchData = () => [
    extendTrial.button({ accountId: 'a' }),
    ...titles.map((title, index) =>
      section(title, load(title), { cache: caches[index % caches.length]!, key: ['a'] }),
    ),
  ]
  const app = createActionApp(extendTrial, {}, { logger, fetchData })
  const open = async () => {
    loads.length = 0
    const [link = ''] = await readLinks(app, FETCH_DATA, ENV)
    return { link, loads: [...loads] }
  }
  const countMarks = () => [...store.values.keys()].filter((key) => !isEntryName(key)).length
  const problems = () => logger.lines.flatMap(({ fields }) => fields['problems'] ?? [])
  return { app, open, countMarks, problems }
}

test('a link with eight cached sections is less than 950 characters long', async () => {
  const { open, problems } = createShown(
    Array.from({ length: 8 }, (_, index) => `Section ${index}`),
  )
  expect((await open()).link.length).toBeLessThan(950)
  expect(problems()).toEqual([])
})

test('a link that would be too long keeps the sections that expire last, and the log names the others', async () => {
  const titles = Array.from({ length: 200 }, (_, index) => `S${index}`)
  const { app, open, problems } = createShown(titles, ['long 1', 'long 2'])
  const { link } = await open()
  expect(link.length).toBeLessThanOrEqual(2_000)
  const [problem = ''] = problems() as string[]
  const omitted = /these sections: (.*)\.$/.exec(problem)?.[1]?.split(', ') ?? []
  expect(omitted.length).toBeGreaterThan(50)
  // The second cache keeps its content longer, so the sections of the first one are left out first.
  expect(omitted.every((title) => Number(title.slice(1)) % 2 === 0)).toBe(true)
  expect(await (await openForm(app, link))()).toBe('done')
  const kept = titles.filter((title) => !omitted.includes(title))
  expect(new Set((await open()).loads)).toEqual(new Set(kept))
})

test('an action invalidates the sections in a process that has shown none of them', async () => {
  const store = createMapStore()
  const [one, two] = [createShown(['Orders'], ['a'], store), createShown(['Orders'], ['a'], store)]
  const { link } = await one.open()
  expect(await (await openForm(two.app, link))()).toBe('done')
  expect(two.countMarks()).toBe(1)
  expect((await one.open()).loads).toEqual(['Orders'])
})

test('an app never invalidates the cache of a different app, even if both have the same name', async () => {
  const [one, two] = [createShown(['Orders']), createShown(['Orders'])]
  const { link } = await one.open()
  await two.open()
  await (
    await openForm(one.app, link)
  )()
  expect([one.countMarks(), two.countMarks()]).toEqual([1, 0])
})

test('a process without a cache of that name logs it, and the action is done', async () => {
  const logger = createRecordingLogger()
  const shown = { cache: 'only there', title: 'Orders', subject: '0123456789abcdef' }
  // This cache exists in the other process only.
  const cache: SectionCache = {
    name: 'only there',
    async fetch({ ctx }) {
      ctx.shown.push({ ...shown, expiresAtMs: Date.now() })
      return { status: 'miss', json: '[]', componentCount: 0, loadedAtMs: Date.now() }
    },
  }
  const extendTrial = createExtendTrial()
  const orders = section('Orders', () => [], { cache, key: ['a'] })
  const fetchData = () => [extendTrial.button({ accountId: 'a' }), orders]
  const app = createActionApp(extendTrial, {}, { logger, fetchData })
  const [link] = await readLinks(app, FETCH_DATA, ENV)
  expect(await (await openForm(app, link))()).toBe('done')
  const error = { message: 'This process has no cache with the name "only there".' }
  const warnings = logger.lines.filter(({ level }) => level === 'warn')
  expect(warnings).toMatchObject([{ fields: { problem: 'not_refreshed', error } }])
})
