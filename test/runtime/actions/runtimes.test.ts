import { Hono } from 'hono'
import { memoryReceipts } from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
  readPage,
  send,
} from '../../helpers/actions.ts'
import { createDesk } from '../../helpers/desk.ts'

const QUERY = '?request_type=fetch_data&account_id=a'
const LOCAL = { publicUrl: undefined as never }

test.each(['/billing', '/billing/'])(
  'the page of an app that is called at %s is below it',
  async (path) => {
    const billing = createActionApp(createExtendTrial(), LOCAL)
    const parent = new Hono().route('/billing', billing as never)
    const response = await send(parent, `http://localhost:8787${path}${QUERY}`)
    const [{ url }] = (await response.json()).components
    expect(url.startsWith('http://localhost:8787/billing/actions?t=')).toBe(true)
    const page = await readPage(await send(parent, url))
    expect(page).toMatchObject({ status: 200, outcome: 'shown' })
    expect(page.html).toContain('action="/billing/actions"')
    expect((await send(parent, 'http://localhost:8787/actions')).status).toBe(404)
  },
)

test('two apps with the same action and one store of receipts do not share receipts or links', async () => {
  const extendTrial = createExtendTrial({ uniqueKey: () => 'issue 7' })
  const receipts = memoryReceipts()
  const create = (name: string) => createActionApp(extendTrial, { receipts }, { name })
  const [one, two] = [create('one'), create('two')]
  for (const app of [one, two]) {
    const [link] = await readLinks(app)
    expect(await confirmPage(app, await openPage(app, link!))).toMatchObject({ outcome: 'done' })
  }
  const [again] = await readLinks(one)
  expect(await openPage(one, again!)).toMatchObject({ outcome: 'already_done' })
  expect(await openPage(two, again!)).toMatchObject({ status: 400 })
})

test('the middleware of the app also runs for the page', async () => {
  const middleware = [
    async (c: any, next: () => Promise<void>) => {
      c.header('x-request-id', '42')
      await next()
    },
  ]
  const desk = createDesk({}, {}, { middleware })
  const page = await desk.open()
  expect(page.response.headers.get('x-request-id')).toBe('42')
  expect(page.response.headers.get('cache-control')).toBe('no-store')
  expect(await desk.confirm(page)).toMatchObject({ outcome: 'done' })
})
