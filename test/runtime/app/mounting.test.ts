import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { FETCH_DATA, createTestApp, readPayload, VERIFY } from '../../helpers/app.ts'

const QUERY = FETCH_DATA.slice(1)

test('mounts several apps in one server', async () => {
  const server = new Hono()
    .route('/billing', createTestApp({ header: { title: 'Billing' } }))
    .route('/usage', createTestApp({ header: { title: 'Usage' } }))
  const title = async (path: string) => (await readPayload(await server.request(path))).header.title
  expect(await title(`/billing${QUERY}`)).toBe('Billing')
  expect(await title(`/usage${QUERY}`)).toBe('Usage')
  expect((await server.request(`/billing${VERIFY.slice(1)}`, { method: 'HEAD' })).status).toBe(405)
})

test('a mounted app responds with and without the trailing slash, and nowhere below', async () => {
  const server = new Hono().route('/billing', createTestApp())
  expect((await server.request(`/billing${QUERY}`)).status).toBe(200)
  expect((await server.request(`/billing/${QUERY}`)).status).toBe(200)
  expect((await server.request(`/billing/x${QUERY}`)).status).toBe(404)
  expect((await server.request(`/billing//${QUERY}`)).status).toBe(404)
})

test('an app that is mounted in a mounted app responds with and without the trailing slash', async () => {
  const inner = new Hono().route('/', createTestApp()).route('/usage', createTestApp())
  const server = new Hono().route('/billing', inner)
  const paths = ['/billing', '/billing/', '/billing/usage', '/billing/usage/', '/billing/usage//']
  const statuses = await Promise.all(
    paths.map(async (path) => (await server.request(`${path}${QUERY}`)).status),
  )
  expect(statuses).toEqual([200, 200, 200, 200, 404])
})

test('runs fetchData once per request, mounted or not', async () => {
  let calls = 0
  const app = createTestApp({ fetchData: () => ((calls += 1), []) })
  await app.request(FETCH_DATA)
  await new Hono().route('/billing', app).request(`/billing/${QUERY}`)
  expect(calls).toBe(2)
})

test('keeps the headers that middleware of a parent sets', async () => {
  const server = new Hono()
  server.use(async (c, next) => {
    c.header('x-parent', 'p')
    await next()
  })
  server.route('/', createTestApp())
  const response = await server.request(FETCH_DATA)
  expect(response.headers.get('x-parent')).toBe('p')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect((await readPayload(response)).version).toBe('1.0.0')
})

test('use() on the app throws and names the option', () => {
  const app = createTestApp() as unknown as Hono
  expect(() => app.use(async (_c, next) => next())).toThrow(
    expect.objectContaining({
      code: 'invalid_options',
      message: expect.stringContaining('option middleware'),
    }),
  )
})

test('other routes can be added to the app', async () => {
  const app = createTestApp()
  app.get('/health', (c) => c.json({ ok: true }))
  expect(await (await app.request('/health')).json()).toEqual({ ok: true })
})
