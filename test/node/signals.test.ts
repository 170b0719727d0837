import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { collectOutput } from '../helpers/collect-output.ts'
import { open, readAll, readUntil } from '../helpers/raw-http.ts'

const SERVER = new URL('../fixtures/slow-server.ts', import.meta.url).pathname
const BACKGROUND = new URL('../fixtures/background-server.ts', import.meta.url).pathname
const TWO_SERVERS = new URL('../fixtures/several-servers.ts', import.meta.url).pathname
let child: ChildProcess | undefined

afterEach(() => child?.kill('SIGKILL'))

/** Starts a server that delays its response until there is standard input. */
async function start() {
  child = spawn('node', [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, port: Number(line.toString()) }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'exits with code 0 on %s, after the last response',
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

test('exits immediately on a second signal', async () => {
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

async function startTwo(...args: readonly string[]) {
  child = spawn('node', [TWO_SERVERS, ...args], { stdio: 'pipe' })
  const output = collectOutput(child)
  const [, ...ports] = await output.until(/(\d+) (\d+)\n/)
  return { child, ports: ports.map(Number) as [number, number], output }
}

test('one signal drains every server of the process', async () => {
  const { child, ports, output } = await startTwo()
  const busy = await Promise.all(ports.map((port) => open(port)))
  for (const socket of busy) socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await output.until(/busy\nbusy\n/)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  child.stdin!.end('go')
  for (const text of await Promise.all(busy.map((socket) => readAll(socket)))) {
    expect(text).toContain('done')
  }
  expect(await exit).toEqual([0, null])
  expect(output.text()).toContain('first\n')
  expect(output.text()).toContain('second\n')
})

test('a failed onClose is reported, the other servers still close, and the exit code is 1', async () => {
  const { child, output } = await startTwo('throw')
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  expect(await exit).toEqual([1, null])
  expect(output.text()).toContain('first\n')
  expect(output.text()).toMatch(/sidecard: onClose failed: Error: the pool did not end\n +at /)
})

test('a signal waits for background work, and then runs onClose', async () => {
  child = spawn('node', [BACKGROUND], { stdio: 'pipe' })
  const output = collectOutput(child)
  const [, port] = await output.until(/(\d+)\n/)
  const idle = await open(Number(port))
  await fetch(`http://127.0.0.1:${port}/?request_type=fetch_data`)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await once(idle.resume(), 'close')
  child.stdin!.end('go')
  expect(await exit).toEqual([0, null])
  expect(output.text()).toMatch(/\d+\nwaitUntil done\naudit written\nclosed\n/)
})
