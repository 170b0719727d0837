import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { secretHeader, text } from 'sidecard'
import { toNodeHandler } from 'sidecard/node'
import { createTestApp, FETCH_DATA, readPayload, VERIFY } from '../../helpers/app.ts'
import { captureStderr } from '../../helpers/capture-stderr.ts'
import { eventually } from '../../helpers/eventually.ts'
import { listen } from '../../helpers/listen.ts'
import { exchange } from '../../helpers/raw-http.ts'

const app = createTestApp<{ PLAN: string }>({
  fetchData: ({ env, params }) => [text({ label: params.issue_id ?? '', value: env.PLAN })],
})
const handler = toNodeHandler(app, { env: { PLAN: 'Pro' } })

/** Starts the handler in a framework, and returns the URL at which the app responds. */
const FRAMEWORKS: Readonly<Record<string, () => Promise<string>>> = {
  'node:http': async () => trim(await listen(handler)),
  'Express at a path': async () => {
    const parent = express().use('/sidebar', handler)
    return `${await listen(parent)}sidebar`
  },
  'a nested Express router with a body parser': async () => {
    const router = express.Router().use('/:team/sidebar', handler)
    return `${await listen(express().use(express.json()).use('/apps', router))}apps/billing/sidebar`
  },
  Fastify: async () => {
    const fastify = Fastify()
    const mounted = toNodeHandler(new Hono().route('/sidebar', app), { env: { PLAN: 'Pro' } })
    fastify.all('/sidebar', (request, reply) => {
      reply.hijack()
      mounted(request.raw, reply.raw)
    })
    onTestFinished(() => fastify.close())
    return `${await fastify.listen({ port: 0, host: '127.0.0.1' })}/sidebar`
  },
}

function trim(url: string): string {
  return url.slice(0, -1)
}

test.each(Object.entries(FRAMEWORKS))('%s serves the app', async (_name, start) => {
  const url = await start()
  const query = VERIFY.slice(1)
  const handshake = await fetch(url + query)
  expect(await handshake.json()).toEqual({ code: 'c0de' })
  expect(handshake.headers.get('x-content-type-options')).toBe('nosniff')
  const payload = await readPayload(await fetch(url + FETCH_DATA.slice(1)))
  expect(payload.components[0]).toEqual({ type: 'text', label: 'issue-1', value: 'Pro' })
  expect((await fetch(url)).status).toBe(400)
  const posted = await fetch(url, {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  })
  expect([posted.status, await posted.json()]).toMatchObject([405, { code: 'method_not_allowed' }])
  const head = await fetch(url + query, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([405, ''])
})

test.each(['Express at a path', 'a nested Express router with a body parser'])(
  '%s serves the app with a trailing slash, and nothing below',
  async (name) => {
    const url = await FRAMEWORKS[name]!()
    expect(await (await fetch(url + VERIFY)).json()).toEqual({ code: 'c0de' })
    const below = await fetch(`${url}/other${VERIFY}`)
    expect([below.status, await below.json()]).toMatchObject([404, { code: 'not_found' }])
  },
)

test('by default, the bindings are the environment of the process', async () => {
  const bindings = new Hono<{ Bindings: Record<string, string> }>().get('/', (c) =>
    c.text(c.env['PATH'] ?? ''),
  )
  const url = await listen(toNodeHandler(bindings))
  expect(await (await fetch(url)).text()).toBe(process.env['PATH'])
})

test('a missing secret is reported, and every request is rejected', async () => {
  const errors = captureStderr()
  const locked = createTestApp({ auth: secretHeader('x-sidecard-secret', () => undefined) })
  const url = await listen(toNodeHandler(locked))
  await eventually(() =>
    expect(errors()).toMatch(/^sidecard: No secret is set for header "x-sidecard-secret"/),
  )
  expect((await fetch(trim(url) + FETCH_DATA)).status).toBe(401)
})

test('background work runs, and its failure is logged', async () => {
  const errors = captureStderr()
  const done = Promise.withResolvers<void>()
  const busy = new Hono().get('/', (c) => {
    c.executionCtx.waitUntil(Promise.resolve().then(() => done.resolve()))
    c.executionCtx.waitUntil(Promise.reject(new Error('the queue is down')))
    return c.text('ok')
  })
  const url = await listen(toNodeHandler(busy))
  expect(await (await fetch(url)).text()).toBe('ok')
  await done.promise
  expect(errors()).toContain('sidecard: background work failed: Error: the queue is down\n')
})

test.each([
  ['an invalid header', () => new Response('x', { headers: { 'x-a': '1', 'x-bad': '\u0001' } })],
  ['an invalid header later', async () => new Response('x', { headers: { 'x-bad': '\u0001' } })],
  ['an error', () => Promise.reject(new Error('no route'))],
])('%s of an app results in a 500, and the server continues', async (_name, respond) => {
  captureStderr()
  const bad = {
    fetch: (request: Request) => (request.url.endsWith('/bad') ? respond() : new Response('ok')),
  }
  const badHandler = toNodeHandler(bad)
  const urls = [await listen(badHandler), await listen(express().use(badHandler))]
  for (const url of urls) {
    const response = await fetch(`${url}bad`)
    expect([response.status, await response.json()]).toMatchObject([
      500,
      { code: 'internal_error' },
    ])
    expect(response.headers.get('x-a')).toBeNull()
    expect(await (await fetch(url)).text()).toBe('ok')
  }
})

test('responds to HTTP/1.0 without a host, in Express too', async () => {
  const servers = [await listen(handler), await listen(express().use(handler))]
  for (const url of servers) {
    const response = await exchange(Number(new URL(url).port), `GET ${VERIFY} HTTP/1.0\r\n\r\n`)
    expect(response).toMatch(/^HTTP\/1\.1 200 .*\{"code":"c0de"\}$/s)
  }
})

test('an aborted request aborts ctx.signal in Express', async () => {
  const [started, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = createTestApp({
    fetchData: async ({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      started.resolve()
      await aborted.promise
      return []
    },
  })
  const url = await listen(express().use('/sidebar', toNodeHandler(slow)))
  const controller = new AbortController()
  const { signal } = controller
  const response = fetch(`${url}sidebar${FETCH_DATA}`, { signal }).catch(
    (error: Error) => error.name,
  )
  await started.promise
  controller.abort()
  expect(await response).toBe('AbortError')
  await aborted.promise
})

test('a request that another handler has already responded to is logged, and the server continues', async () => {
  const errors = captureStderr()
  const second = toNodeHandler({ fetch: () => new Response('the second response') })
  const url = await listen((request, response) => {
    if (request.url === '/twice') response.end('the first response')
    second(request, response)
  })
  expect(await (await fetch(`${url}twice`)).text()).toBe('the first response')
  await eventually(() => expect(errors()).toMatch(/sidecard: a response was not sent: .*headers/is))
  expect(errors()).not.toContain('invalid response')
  expect(await (await fetch(url)).text()).toBe('the second response')
})

test('settled() waits for background work, and for work that it adds', async () => {
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const busy = toNodeHandler(
    createTestApp({
      fetchData: (ctx) => {
        const later = async () => void done.push('later')
        ctx.waitUntil(gate.promise.then(() => (done.push('work'), ctx.waitUntil(later()))))
        return []
      },
    }),
  )
  await (await fetch((await listen(busy)) + FETCH_DATA.slice(1))).text()
  const settled = busy.settled().then(() => done.push('settled'))
  expect(done).toEqual([])
  gate.resolve()
  await settled
  expect(done).toEqual(['work', 'later', 'settled'])
})
