import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Hono } from 'hono'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { serve, type ServeOptions } from 'sidecard/node'
import { captureStderr } from '../../helpers/capture-stderr.ts'
import { exchange, open, readAll } from '../../helpers/raw-http.ts'

const BUSY = new URL('../../fixtures/busy-server.ts', import.meta.url).pathname
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
let child: ChildProcess | undefined

afterEach(() => child?.kill('SIGKILL'))

async function start(options: ServeOptions = {}) {
  const app = new Hono().get('/', (c) => c.text('ok'))
  const server = await serve(app, { port: 0, handleSignals: false, ...options })
  onTestFinished(() => server.close())
  return server
}

test('100 connections that were open before a signal all get a response from a busy server', async () => {
  for (let run = 0; run < 3; run += 1) {
    child = spawn('node', [BUSY], { stdio: ['ignore', 'pipe', 'inherit'] })
    // oxlint-disable-next-line no-await-in-loop -- one run after the other, for even load
    const [line] = (await once(child.stdout!, 'data')) as [Buffer]
    // oxlint-disable-next-line no-await-in-loop
    const sockets = await Promise.all(Array.from({ length: 100 }, () => open(Number(line))))
    const exit = once(child, 'exit')
    const responses = sockets.map(async (socket) => {
      socket.write(GET)
      return readAll(socket).catch(() => 'lost')
    })
    child.kill('SIGTERM')
    // oxlint-disable-next-line no-await-in-loop
    const texts = await Promise.all(responses)
    expect(texts.filter((text) => !text.endsWith('done'))).toEqual([])
    // oxlint-disable-next-line no-await-in-loop
    expect(await exit).toEqual([0, null])
  }
})

test('a new connection is served with "Connection: close" while the server stops, and rejected later', async () => {
  const errors = captureStderr()
  const { port, close } = await start()
  const startMs = performance.now()
  const closed = close()
  const requests = Array.from({ length: 3 }, () => exchange(port, GET))
  for (const response of await Promise.all(requests)) {
    expect(response).toMatch(/^HTTP\/1\.1 200 .*connection: close.*ok$/is)
  }
  await closed
  expect(performance.now() - startMs).toBeGreaterThan(99)
  await expect(open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(errors()).toBe('')
})

test('new connections that do not end are rejected after stopDelayMs, which is logged', async () => {
  const errors = captureStderr()
  const { port, close } = await start({ stopDelayMs: 90 })
  const closed = close()
  for (let socket: Socket | undefined = await open(port); socket;) {
    socket.on('error', () => undefined)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    socket = await open(port).catch(() => undefined)
  }
  await closed
  expect(errors()).toBe(
    'sidecard: new connections still arrived 90 ms after the stop began (stopDelayMs), and are now rejected. Remove the process from its load balancer before you stop it.\n',
  )
})

test('a server with SIDECARD_DEV rejects new connections immediately when it stops', async () => {
  const { port, close } = await start({ env: { SIDECARD_DEV: '1' } })
  const closed = close()
  await expect(open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await closed
})
