import { Hono } from 'hono'
import { text } from 'sidecard'
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

const QUERY = '?request_type=fetch_data&account_id=a'
const LOCAL = { publicUrl: undefined as never }

test.each(['/billing', '/billing/'])(
  'an app mounted under a path, called at %s, has its page below it',
  async (path) => {
    const billing = createActionApp(createExtendTrial(), LOCAL)
    const parent = new Hono()
      .get('/health', (c) => c.text('ok'))
      .route('/billing', billing as never)
    const response = await send(parent, `http://localhost:8787${path}${QUERY}`)
    const [{ url }] = (await response.json()).components
    expect(url.startsWith('http://localhost:8787/billing/actions?t=')).toBe(true)
    const page = await readPage(await send(parent, url))
    expect(page).toMatchObject({ status: 200, outcome: 'shown' })
    expect(page.html).toContain('action="/billing/actions"')
    expect((await send(parent, 'http://localhost:8787/actions')).status).toBe(404)
    expect((await send(parent, 'http://localhost:8787/health')).status).toBe(200)
  },
)

test('two apps next to each other do not open each other’s links', async () => {
  const one = createActionApp(createExtendTrial(), LOCAL)
  const two = createActionApp(createExtendTrial(), LOCAL, { name: 'Orders' })
  const parent = new Hono().route('/one', one as never).route('/two', two as never)
  const response = await send(parent, `http://localhost:8787/one${QUERY}`)
  const [{ url }] = (await response.json()).components
  expect((await send(parent, url)).status).toBe(200)
  expect((await send(parent, url.replace('/one/', '/two/'))).status).toBe(400)
})

test('two apps with one store of receipts do not take each other’s', async () => {
  const receipts = memoryReceipts()
  const create = (name: string) =>
    createActionApp(createExtendTrial({ uniqueKey: () => 'issue 7' }), { receipts }, { name })
  const confirmOnce = async (app: ReturnType<typeof create>) => {
    const [link] = await readLinks(app)
    return (await confirmPage(app, await openPage(app, link!))).outcome
  }
  const [one, two] = [create('one'), create('two')]
  expect([await confirmOnce(one), await confirmOnce(two)]).toEqual(['done', 'done'])
  const [again] = await readLinks(one)
  expect((await openPage(one, again!)).outcome).toBe('already_done')
})

test('the same actions can be in two apps', async () => {
  const extendTrial = createExtendTrial()
  const receipts = memoryReceipts()
  const one = createActionApp(extendTrial, { receipts })
  const two = createActionApp(extendTrial, { receipts }, { name: 'second' })
  const [link] = await readLinks(one)
  expect(await openPage(one, link!)).toMatchObject({ status: 200 })
  expect(await openPage(two, link!)).toMatchObject({ status: 400 })
})

test('the middleware of the app also runs for the page', async () => {
  const app = createActionApp(
    createExtendTrial(),
    {},
    {
      middleware: [
        async (c, next) => {
          c.header('x-request-id', '42')
          await next()
        },
      ],
    },
  )
  const [link] = await readLinks(app)
  const page = await openPage(app, link!)
  expect(page.response.headers.get('x-request-id')).toBe('42')
  expect(page.response.headers.get('cache-control')).toBe('no-store')
  expect(await confirmPage(app, page)).toMatchObject({ outcome: 'done' })
})

test('bindings that are invalid make the page unavailable', async () => {
  const app = createActionApp(createExtendTrial({ show: () => text({ label: 'a', value: 'b' }) }), {
    receipts: () => {
      throw new Error('no database')
    },
  })
  const [link] = await readLinks(app)
  expect(await openPage(app, link!)).toMatchObject({ status: 503, outcome: 'failed' })
})
