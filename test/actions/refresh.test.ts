import { section, text } from 'sidecard'
import { memoryStore, payloadCache, sectionCache } from 'sidecard/cache'
import { expect, test } from 'vitest'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
  send,
} from '../helpers/actions.ts'
import { FETCH_DATA } from '../helpers/app.ts'

const OTHER_ISSUE = FETCH_DATA.replace('issue-1', 'issue-2')

/** An entry of the same millisecond counts as old. */
async function nextMillisecond() {
  const before = Date.now()
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(before)
}

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
  await nextMillisecond()
  await open(FETCH_DATA)
  expect(loads).toBe(3)
  await open(FETCH_DATA)
  expect(loads).toBe(3)
})

test('refresh reloads the named section entries, and only those', async () => {
  const loads: string[] = []
  const cache = sectionCache({ name: crypto.randomUUID(), store: memoryStore(), ttlSeconds: 600 })
  const extendTrial = createExtendTrial({
    refresh: ({ accountId }: any) => [[cache, [accountId]]],
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
  const open = (id: string) => readLinks(app, `/?request_type=fetch_data&account_id=${id}`, env)
  const [link] = await open('a')
  await open('b')
  await open('a')
  const page = await openPage(app, link!, {}, env)
  await confirmPage(app, page, undefined, undefined, env)
  await nextMillisecond()
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
