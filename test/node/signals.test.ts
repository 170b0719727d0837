import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { open, readAll, readUntil } from '../helpers/raw-http.ts'

const SERVER = new URL('../fixtures/slow-server.ts', import.meta.url).pathname
let child: ChildProcess | undefined

afterEach(() => child?.kill('SIGKILL'))

/** Starts a server that answers a data fetch only when it is told to. */
async function start() {
  child = spawn('node', [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, port: Number(line.toString()) }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'ends with exit code 0 on %s, after the last answer',
  async (signal) => {
    const { child, port } = await start()
    const idle = await open(port)
    const busy = await open(port)
    busy.write('GET /?request_type=fetch_data HTTP/1.1\r\nhost: x\r\n\r\n')
    await readUntil(child.stdout as never, (text) => text.includes('busy'))
    const exit = once(child, 'exit')
    child.kill(signal)
    await once(idle.resume(), 'close')
    child.stdin!.end('go')
    expect(await readAll(busy)).toContain('"done"')
    expect(await exit).toEqual([0, null])
  },
)

test('ends at once on a second signal', async () => {
  const { child, port } = await start()
  const idle = await open(port)
  const busy = await open(port)
  busy.on('error', () => undefined)
  busy.write('GET /?request_type=fetch_data HTTP/1.1\r\nhost: x\r\n\r\n')
  await readUntil(child.stdout as never, (text) => text.includes('busy'))
  child.kill('SIGTERM')
  await once(idle.resume(), 'close')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
})
