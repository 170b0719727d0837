import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { startProxy } from '../helpers/proxy.ts'
import { runOn, RUNTIMES } from './runtimes.ts'
import { addLargeData } from '../helpers/large-data.ts'

test.each(RUNTIMES)(
  'the client works on %s',
  async (...runtime) => {
    await using emulator = addLargeData(createEmulator())
    const { url } = await emulator.listen()
    expect(await runOn(runtime, 'client-program.ts', [url, emulator.accessToken])).toEqual({
      task: ['Zurück 📞', '1970-01-01T00:00:00.000Z'],
      redacted: '',
      users: 1_234,
      pages: [50, 50, 50, 50, 50, 10],
      roles: 4,
      rejected: 401,
    })
  },
  60_000,
)

test('the client uses the proxy of the environment on Node', async () => {
  await using emulator = addLargeData(createEmulator())
  const { url } = await emulator.listen()
  const proxy = await startProxy(url)
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, NO_PROXY: '' }
  const args = [url, emulator.accessToken]
  expect(await runOn(RUNTIMES[0]!, 'client-program.ts', args, env)).toMatchObject({ users: 1_234 })
  const { host } = new URL(url)
  expect(new Set(proxy.requests.map((request) => request.split(' ')[1]))).toEqual(new Set([host]))
}, 30_000)

test.each(RUNTIMES)(
  'a POST on a connection that breaks is sent once on %s',
  async (...runtime) => {
    const posts: string[] = []
    const reused: boolean[] = []
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      let isReused = false
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          const [line = ''] = chunk.toString().split('\r\n')
          if (line.startsWith('GET')) {
            isReused = true
            socket.write('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"data":[]}')
          } else if (line.startsWith('POST')) {
            posts.push(line)
            reused.push(isReused)
            socket.resetAndDestroy()
          }
        })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
    const { port } = server.address() as AddressInfo
    const outcomes = await runOn(runtime, 'broken-post-program.ts', [`http://127.0.0.1:${port}`])
    expect(outcomes).toEqual(['network_error', 'network_error', 'network_error'])
    expect(posts).toHaveLength(3)
    // Otherwise this test proves nothing about Deno, the runtime that sends requests again.
    expect(runtime[0] !== 'Deno' || reused.every(Boolean)).toBe(true)
  },
  60_000,
)
