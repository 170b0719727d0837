import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, onTestFinished, test, vi } from 'vitest'
import { audit, divider, section, text } from 'sidecard'
import { sectionCache, type StoreAdapter } from 'sidecard/cache'
import { type App, serve, type ServeOptions } from 'sidecard/node'
import { createTestApp, FETCH_DATA, neverResolves } from '../../helpers/app.ts'
import { captureStderr } from '../../helpers/capture-stderr.ts'
import { eventually } from '../../helpers/eventually.ts'
import { exchange, open, readAll, readUntil } from '../../helpers/raw-http.ts'

/** Starts a server that records when `onClose` runs. */
async function start(app: App, options: ServeOptions = {}) {
  const events: string[] = []
  const onClose = () => void events.push('closed')
  const defaults = { port: 0, handleSignals: false, stopDelayMs: 0, onClose }
  const server = await serve(app, { ...defaults, ...options })
  onTestFinished(() => server.close())
  /** Closes the server, and returns after it has stopped to listen. */
  async function beginClose() {
    const closed = server.close()
    await eventually(() =>
      expect(open(server.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' }),
    )
    return { closed }
  }
  return { ...server, events, beginClose }
}

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
/** More than the buffers of the kernel for one connection. */
const MANY_BYTES = 40_000_000

test.each([
  ['a text', (body: string) => body],
  ['a stream', (body: string) => new Blob([body]).stream()],
])(
  'a slow reader receives the whole response although the server closes: %s',
  async (_name, toBody) => {
    const errors = captureStderr()
    const app = new Hono().get('/', (c) => c.body(toBody('x'.repeat(MANY_BYTES))))
    const { url, events, beginClose } = await start(app)
    // The promise resolves with the headers. The body waits until it is read.
    const response = await fetch(url)
    const { closed } = await beginClose()
    expect(events).toEqual([])
    expect(await response.text()).toHaveLength(MANY_BYTES)
    await closed
    expect([events, errors()]).toEqual([['closed'], ''])
  },
)

test('responses to pipelined requests reach a slow reader although the server closes', async () => {
  const app = new Hono().get('/', (c) => c.text('x'.repeat(MANY_BYTES / 2)))
  const { port, beginClose } = await start(app)
  const reader = await open(port)
  reader.pause()
  reader.write(GET.repeat(3))
  await once(reader, 'readable')
  const { closed } = await beginClose()
  const bodies = (await readAll(reader)).split(/HTTP[^]*?\r\n\r\n/).slice(1)
  expect(bodies.map(({ length }) => length)).toEqual(Array(3).fill(MANY_BYTES / 2))
  await closed
})

test('a response that promised to keep its connection open does not delay the close', async () => {
  const errors = captureStderr()
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  const body = readable.pipeThrough(new TextEncoderStream())
  // Node itself closes an idle connection after five seconds.
  const app = { fetch: () => new Response(body) }
  const { port, beginClose } = await start(app, { drainTimeoutMs: 4_000 })
  const socket = await open(port)
  socket.write(GET)
  void writer.write('first')
  expect(await readUntil(socket, (part) => part.includes('first'))).toMatch(/keep-alive/i)
  const { closed } = await beginClose()
  await writer.close()
  expect(await readAll(socket)).toMatch(/0\r\n\r\n$/)
  await closed
  expect(errors()).toBe('')
})

test('a request behind a response that has started gets its response although the server closes', async () => {
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  const [isBehind, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const app = {
    async fetch({ url }: Request) {
      if (url.endsWith('/')) return new Response(readable.pipeThrough(new TextEncoderStream()))
      isBehind.resolve()
      await release.promise
      return new Response('second')
    },
  }
  const { port, beginClose } = await start(app)
  const socket = await open(port)
  socket.write(GET)
  void writer.write('first')
  await readUntil(socket, (part) => part.includes('first'))
  const { closed } = await beginClose()
  socket.write(GET.replace('/', '/behind'))
  await isBehind.promise
  await writer.close()
  await readUntil(socket, (part) => part.includes('0\r\n\r\n'))
  // The server looks for other requests for two turns of the event loop.
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  release.resolve()
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 .*connection: close.*second$/is)
  await closed
})

test('requests that the server has not read when it closes get their response', async () => {
  const app = new Hono().get('/', (c) => c.text('ok'))
  const { port, close } = await start(app, { stopDelayMs: 5_000 })
  const sockets = [await open(port), await open(port)]
  sockets[0]!.write(GET)
  await readUntil(sockets[0]!, (part) => part.includes('ok'))
  for (const socket of sockets) socket.write(GET)
  const closed = close()
  for (const socket of sockets) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 .*connection: close.*ok$/is)
  }
  await closed
})

test('a reader that never reads is cut off after the drain timeout, and logged', async () => {
  const errors = captureStderr()
  const app = new Hono().get('/', (c) => c.text('x'.repeat(MANY_BYTES)))
  const { port, close, events } = await start(app, { drainTimeoutMs: 50 })
  const reader = await open(port)
  reader.pause()
  reader.on('error', () => undefined)
  reader.write(GET)
  await once(reader, 'readable')
  await close()
  expect(errors()).toBe(
    'sidecard: abandoned 1 response and 0 background tasks after 50 ms (drainTimeoutMs).\n',
  )
  expect(events).toEqual(['closed'])
  reader.destroy()
})

test('onClose runs after ctx.waitUntil() and after the audit record was written', async () => {
  const gate = Promise.withResolvers<void>()
  const written: string[] = []
  const app = createTestApp({
    instrument: audit(async () => {
      await gate.promise
      written.push('audit')
    }),
    fetchData: (ctx) => {
      ctx.waitUntil(gate.promise.then(() => written.push('waitUntil')))
      return [text({ label: 'Plan', value: 'Pro' })]
    },
  })
  const { url, events, beginClose } = await start(app, {
    onClose: () => void written.push('closed'),
  })
  expect((await fetch(url + FETCH_DATA)).status).toBe(200)
  const { closed } = await beginClose()
  expect(written).toEqual([])
  gate.resolve()
  await closed
  expect(written.toSorted()).toEqual(['audit', 'closed', 'waitUntil'])
  expect(written.at(-1)).toBe('closed')
  expect(events).toEqual([])
})

test('onClose runs after cached content was stored', async () => {
  const gate = Promise.withResolvers<void>()
  const stored: string[] = []
  const store: StoreAdapter = {
    get: async () => undefined,
    set: async () => {
      await gate.promise
      stored.push('stored')
    },
  }
  const options = { store, ttlSeconds: 60, storeTimeoutMs: 60_000 }
  const cache = sectionCache({ name: 'stored before the stop', ...options })
  const fetchData = () => [section('Orders', () => [divider()], { cache, key: ['a'] })]
  const { url, beginClose } = await start(createTestApp({ fetchData }), {
    onClose: () => void stored.push('closed'),
  })
  expect((await fetch(url + FETCH_DATA)).status).toBe(200)
  const { closed } = await beginClose()
  expect(stored).toEqual([])
  gate.resolve()
  await closed
  expect(stored).toEqual(['stored', 'closed'])
})

test('background work that is added while the server closes is completed', async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const app = new Hono().get('/', (c) => {
    const { executionCtx } = c
    executionCtx.waitUntil(
      first.promise.then(() => {
        executionCtx.waitUntil(second.promise.then(() => events.push('second')))
        events.push('first')
      }),
    )
    executionCtx.passThroughOnException()
    return c.text('ok')
  })
  const { url, events, beginClose } = await start(app)
  await fetch(url)
  const { closed } = await beginClose()
  first.resolve()
  await eventually(() => expect(events).toEqual(['first']))
  second.resolve()
  await closed
  expect(events).toEqual(['first', 'second', 'closed'])
})

test('a request whose client has disconnected is completed before onClose', async () => {
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const app = new Hono().get('/', async (c) => {
    c.req.raw.signal.addEventListener('abort', () => aborted.resolve())
    started.resolve()
    await release.promise
    c.executionCtx.waitUntil(Promise.resolve().then(() => events.push('recorded')))
    return c.text('unread')
  })
  const { port, events, beginClose } = await start(app)
  const socket = await open(port)
  socket.write(GET)
  await started.promise
  socket.destroy()
  await aborted.promise
  const { closed } = await beginClose()
  expect(events).toEqual([])
  release.resolve()
  await closed
  expect(events).toEqual(['recorded', 'closed'])
})

test('work that exceeds the drain timeout is abandoned, and logged', async () => {
  const errors = captureStderr()
  const app = new Hono().get('/', (c) => {
    c.executionCtx.waitUntil(neverResolves())
    c.executionCtx.waitUntil(neverResolves())
    return c.text('ok')
  })
  const { url, close, events } = await start(app, { drainTimeoutMs: 50 })
  await fetch(url)
  await close()
  expect(errors()).toBe(
    'sidecard: abandoned 0 responses and 2 background tasks after 50 ms (drainTimeoutMs).\n',
  )
  expect(events).toEqual(['closed'])
})

test('a response and a task that exceed the drain timeout are both counted', async () => {
  const errors = captureStderr()
  const started = Promise.withResolvers<void>()
  const app = new Hono().get('/', (c) => {
    c.executionCtx.waitUntil(neverResolves())
    started.resolve()
    return neverResolves()
  })
  const { port, close } = await start(app, { drainTimeoutMs: 20 })
  const socket = await open(port)
  socket.on('error', () => undefined)
  socket.write(GET)
  await started.promise
  await close()
  expect(errors()).toBe(
    'sidecard: abandoned 1 response and 1 background task after 20 ms (drainTimeoutMs).\n',
  )
})

test('background work that fails is logged, and affects nothing', async () => {
  const errors = captureStderr()
  const app = new Hono().get('/', (c) => {
    c.executionCtx.waitUntil(Promise.reject(new Error('the queue is down')))
    c.executionCtx.waitUntil('not a promise' as never)
    c.executionCtx.waitUntil(Promise.reject(Object.create(null)))
    return c.text('ok')
  })
  const { url, close, events } = await start(app)
  expect(await (await fetch(url)).text()).toBe('ok')
  await close()
  expect(errors()).toMatch(/^sidecard: background work failed: Error: the queue is down\n +at /)
  expect(events).toEqual(['closed'])
})

test('close() returns the same promise each time', async () => {
  const { close } = await start(new Hono())
  expect(close()).toBe(close())
})

test('a drain timeout of 0 closes without waiting', async () => {
  const errors = captureStderr()
  const started = Promise.withResolvers<void>()
  const app = {
    fetch: () => {
      started.resolve()
      return neverResolves()
    },
  }
  const { port, close } = await start(app, { drainTimeoutMs: 0 })
  const socket = await open(port)
  socket.on('error', () => undefined)
  socket.write(GET)
  await started.promise
  await close()
  expect(errors()).toContain('abandoned 1 response ')
})

test('a drain timeout that passes before the server could stop to listen abandons nothing', async () => {
  const errors = captureStderr()
  const { close } = await start(new Hono(), { drainTimeoutMs: 0 })
  const closed = close()
  const startMs = performance.now()
  while (performance.now() < startMs + 5);
  await closed
  expect(errors()).toBe('')
})

test('a request whose end arrives while the server closes gets its response', async () => {
  const { port, beginClose } = await start(new Hono().get('/', (c) => c.text('ok')))
  const socket = await open(port)
  socket.write(GET.slice(0, -2))
  // The server reads those bytes before it responds on another connection.
  await exchange(port, GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  const { closed } = await beginClose()
  socket.write('\r\n')
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 .*connection: close.*ok$/is)
  await closed
})

test('a server that has closed leaves no timer, which would keep its process alive', async () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const clearTimer = vi.spyOn(globalThis, 'clearTimeout')
  onTestFinished(() => void vi.restoreAllMocks())
  const onClose = async () => {}
  const options = { port: 0, onClose, drainTimeoutMs: 50_000, onCloseTimeoutMs: 50_000 }
  await (await serve(createTestApp({}), options)).close()
  const timers = setTimer.mock.results.filter((_, index) => {
    const [, ms = 0] = setTimer.mock.calls[index]!
    return ms > 40_000
  })
  expect(timers).toHaveLength(2)
  for (const { value } of timers) expect(clearTimer).toHaveBeenCalledWith(value)
})

test('an app can read the request line, before anything normalized it', async () => {
  const incoming = Symbol.for('sidecard.incoming')
  const app: App = {
    fetch: (request) =>
      new Response((request as { [incoming]?: { url: string } })[incoming]?.url ?? 'none'),
  }
  const server = await serve(app, { port: 0 })
  onTestFinished(() => server.close())
  const response = await exchange(
    server.port,
    'GET /a/../b?c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  expect(response).toMatch(/\r\n\/a\/\.\.\/b\?c$/)
})

test('what an app throws is logged with its cause, and any other value with its type', async () => {
  const errors = captureStderr()
  const thrown = [
    new Error('no response', { cause: new Error('no route') }),
    new Error('alone'),
    'text',
    7,
  ]
  const app: App = {
    fetch() {
      throw thrown.shift()
    },
  }
  const { port } = await start(app)
  while (thrown.length > 0) {
    expect(
      await exchange(port, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')),
    ).toContain('500')
  }
  const lines = errors().split('sidecard: the app failed: ').slice(1)
  expect(lines[0]).toMatch(/^Error: no response\n +at [^]*\n {4}cause: no route\n$/)
  expect(lines[1]).toMatch(/^Error: alone\n +at /)
  expect(lines[1]).not.toContain('cause')
  expect(lines.slice(2)).toEqual(['text\n', 'a value of type number\n'])
})
