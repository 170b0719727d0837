import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { text } from 'sidecard'
import { FETCH_DATA, makeApp, payloadOf, VERIFY } from '../helpers/app.ts'

test('several widgets live in one server', async () => {
  const server = new Hono()
    .route('/billing', makeApp({ header: { title: 'Billing' } }))
    .route('/usage', makeApp({ header: { title: 'Usage' } }))
  expect(
    (await payloadOf(await server.request(`/billing${FETCH_DATA.slice(1)}`))).header.title,
  ).toBe('Billing')
  expect((await payloadOf(await server.request(`/usage${FETCH_DATA.slice(1)}`))).header.title).toBe(
    'Usage',
  )
  expect((await server.request(`/billing${VERIFY.slice(1)}`, { method: 'HEAD' })).status).toBe(405)
})

test('middleware runs before the endpoint although it was added after it', async () => {
  const app = makeApp({
    fetchData: (ctx) => [text({ label: 'tenant', value: ctx.c.get('tenant' as never) })],
  })
  app.use(async (c, next) => {
    c.set('tenant' as never, 'acme' as never)
    c.header('x-before', 'b')
    await next()
    c.res.headers.set('x-after', 'a')
  })
  app.use('*', async (_c, next) => next())
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-before')).toBe('b')
  expect(response.headers.get('x-after')).toBe('a')
  expect(response.headers.get('content-type')).toBe('application/json')
  expect((await payloadOf(response)).components[0].value).toBe('acme')

  const mounted = await new Hono().route('/billing', app).request(`/billing${FETCH_DATA.slice(1)}`)
  expect(mounted.headers.get('x-after')).toBe('a')
  expect((await payloadOf(mounted)).components[0].value).toBe('acme')
})

test('middleware may answer instead of the endpoint', async () => {
  const app = makeApp()
  app.use(async (c) => c.json({ maintenance: true }, 503))
  expect((await app.request(FETCH_DATA)).status).toBe(503)
})

test('middleware of a parent keeps the headers that it sets', async () => {
  const server = new Hono()
  server.use(async (c, next) => {
    c.header('x-parent', 'p')
    await next()
  })
  server.route('/', makeApp())
  const response = await server.request(FETCH_DATA)
  expect(response.headers.get('x-parent')).toBe('p')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect((await payloadOf(response)).version).toBe('1.0.0')
})

test('middleware that throws is answered without detail', async () => {
  const app = makeApp()
  app.use(() => {
    throw new Error('canary')
  })
  const response = await app.request(FETCH_DATA)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('canary')
})

test('other routes can be added beside the endpoint', async () => {
  const app = makeApp()
  app.get('/health', (c) => c.json({ ok: true }))
  expect(await (await app.request('/health')).json()).toEqual({ ok: true })
})
