import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { serve } from 'sidecard/node'

const Platform = { Request, Response }
const platformRequest = new Request('http://x.example')

class CustomResponse extends Response {}

/** Returns the results of `instanceof` in user code that runs behind `serve()`. */
const app = new Hono()
  .get('/instances', async (c) => {
    const fetched = await fetch(new URL('/text', c.req.url))
    class LateResponse extends Response {}
    return c.json({
      fetched: fetched instanceof Response,
      request: c.req.raw instanceof Request,
      platformRequest: platformRequest instanceof Request,
      created: new Response() instanceof Response,
      json: Response.json({}) instanceof Response,
      createdIsPlatform: new Response() instanceof Platform.Response,
      subclass: new CustomResponse() instanceof Response,
      lateSubclass: new LateResponse() instanceof LateResponse,
      fetchedIsSubclass: fetched instanceof LateResponse,
      object: { ok: true } instanceof Response,
      nothing: (null as unknown) instanceof Response,
    })
  })
  .get('/text', (c) => c.text('text'))
  .get('/copy', async (c) => {
    const fetched = await fetch(new URL('/text', c.req.url))
    const copy = new Response(fetched.body, fetched)
    copy.headers.set('x-copy', '1')
    return new Response(copy.body, copy)
  })
  .get('/request', async (c) =>
    c.text(new Request(c.req.raw, { headers: { x: 'new' } }).headers.get('x')!),
  )

const server = await serve(app, { port: 0, handleSignals: false })
// A second listener replaces the globals again.
const second = await serve(app, { port: 0, handleSignals: false })
afterAll(() => Promise.all([server.close(), second.close()]))

test.each([server.url, second.url])(
  'objects of the platform and of the host are instances of Response and Request',
  async (url) => {
    expect(await (await fetch(`${url}/instances`)).json()).toEqual({
      fetched: true,
      request: true,
      platformRequest: true,
      created: true,
      json: true,
      createdIsPlatform: true,
      subclass: true,
      lateSubclass: true,
      fetchedIsSubclass: false,
      object: false,
      nothing: false,
    })
  },
)

test('a response of fetch() can be copied and sent', async () => {
  const response = await fetch(`${server.url}/copy`)
  expect([await response.text(), response.headers.get('x-copy')]).toEqual(['text', '1'])
})

test('a request can be copied', async () => {
  expect(await (await fetch(`${server.url}/request`)).text()).toBe('new')
})
