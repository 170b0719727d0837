import { section, text } from 'sidecard'
import { type SectionCache, sectionCache } from 'sidecard/cache'
import { expect, test } from 'vitest'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
} from '../../helpers/actions.ts'
import { createRecordingLogger, FETCH_DATA } from '../../helpers/app.ts'
import { createMapStore, isEntryName } from '../../helpers/cache.ts'

const ENV = {}

/** An app with a button and some cached sections, and the titles that were loaded. */
function createShown(titles: readonly string[], names = ['shown'], store = createMapStore()) {
  const logger = createRecordingLogger()
  const loads: string[] = []
  const caches = names.map((name, index) =>
    sectionCache({ name, store, ttlSeconds: 600 + index * 100 }),
  )
  const extendTrial = createExtendTrial()
  const app = createActionApp(
    extendTrial,
    {},
    {
      logger,
      fetchData: () => [
        extendTrial.button({ accountId: 'a' }),
        ...titles.map((title, index) =>
          section(title, () => (loads.push(title), text({ label: 'a', value: title })), {
            cache: caches[index % caches.length]!,
            key: ['a'],
          }),
        ),
      ],
    },
  )
  const problems = () =>
    logger.lines.flatMap(({ fields }) => fields['problems'] ?? fields['problem'] ?? [])
  return { app, logger, loads, store, problems }
}

test('a link with eight cached sections is about 950 characters long', async () => {
  const titles = Array.from({ length: 8 }, (_, index) => `Section ${index}`)
  const { app, problems } = createShown(titles)
  const [link = ''] = await readLinks(app, FETCH_DATA, ENV)
  expect(link.length).toBeLessThan(950)
  expect(problems()).toEqual([])
})

test('a link that would be too long keeps the sections that expire last, and the log names the others', async () => {
  const titles = Array.from({ length: 200 }, (_, index) => `S${index}`)
  const { app, loads, problems } = createShown(titles, ['long 1', 'long 2'])
  const [link = ''] = await readLinks(app, FETCH_DATA, ENV)
  expect(link.length).toBeLessThanOrEqual(2_000)
  const [problem = ''] = problems() as string[]
  const omitted = /these sections: (.*)\.$/.exec(problem)?.[1]?.split(', ') ?? []
  expect(omitted.length).toBeGreaterThan(50)
  // The second cache keeps its content longer, so the sections of the first one are left out first.
  const isFirst = (title: string) => Number(title.slice(1)) % 2 === 0
  expect(omitted.every(isFirst)).toBe(true)
  const page = await openPage(app, link, {}, ENV)
  expect((await confirmPage(app, page, undefined, undefined, ENV)).outcome).toBe('done')
  loads.length = 0
  await readLinks(app, FETCH_DATA, ENV)
  expect(new Set(loads)).toEqual(new Set(titles.filter((title) => !omitted.includes(title))))
})

test('an action invalidates the sections in a process that has shown none of them', async () => {
  const store = createMapStore()
  const name = crypto.randomUUID()
  const [one, two] = [
    createShown(['Orders'], [name], store),
    createShown(['Orders'], [name], store),
  ]
  const [link] = await readLinks(one.app, FETCH_DATA, ENV)
  const page = await openPage(two.app, link!, {}, ENV)
  const outcome = await confirmPage(two.app, page, undefined, undefined, ENV)
  expect(outcome.outcome).toBe('done')
  expect([...store.values.keys()].filter((key) => !isEntryName(key))).toHaveLength(1)
  one.loads.length = 0
  await readLinks(one.app, FETCH_DATA, ENV)
  expect(one.loads).toEqual(['Orders'])
})

test('an app never invalidates the cache of a different app, even if both caches have the same name', async () => {
  const name = crypto.randomUUID()
  const [one, two] = [createShown(['Orders'], [name]), createShown(['Orders'], [name])]
  const [link] = await readLinks(one.app, FETCH_DATA, ENV)
  await readLinks(two.app, FETCH_DATA, ENV)
  const page = await openPage(one.app, link!, {}, ENV)
  await confirmPage(one.app, page, undefined, undefined, ENV)
  const marks = [one, two].map(
    ({ store }) => [...store.values.keys()].filter((key) => !isEntryName(key)).length,
  )
  expect(marks).toEqual([1, 0])
})

test('a process without a cache of that name logs it, and the action is done', async () => {
  const logger = createRecordingLogger()
  const subject = '0123456789abcdef'
  // This cache exists in the other process only.
  const cache: SectionCache = {
    name: 'only there',
    async fetch({ ctx }) {
      ctx.shown.push({ cache: 'only there', title: 'Orders', subject, expiresAtMs: Date.now() })
      return { status: 'miss', json: '[]', componentCount: 0, loadedAtMs: Date.now() }
    },
  }
  const extendTrial = createExtendTrial()
  const fetchData = () => [
    extendTrial.button({ accountId: 'a' }),
    section('Orders', () => [], { cache, key: ['a'] }),
  ]
  const app = createActionApp(extendTrial, {}, { logger, fetchData })
  const [link] = await readLinks(app, FETCH_DATA, ENV)
  const page = await openPage(app, link!, {}, ENV)
  expect((await confirmPage(app, page, undefined, undefined, ENV)).outcome).toBe('done')
  const warnings = logger.lines.filter(({ level }) => level === 'warn')
  expect(warnings).toMatchObject([
    {
      fields: {
        problem: 'not_refreshed',
        error: { message: 'This process has no cache with the name "only there".' },
      },
    },
  ])
})
