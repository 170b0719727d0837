import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { collectOutput } from '../../helpers/collect-output.ts'
import { open, readAll, readUntil } from '../../helpers/raw-http.ts'

const SERVER = new URL('../../fixtures/slow-server.ts', import.meta.url).pathname
const BACKGROUND = new URL('../../fixtures/background-server.ts', import.meta.url).pathname
const TWO_SERVERS = new URL('../../fixtures/several-servers.ts', import.meta.url).pathname
let started: ChildProcess | undefined

afterEach(() => started?.kill('SIGKILL'))

/** Starts a server that delays its response until there is standard input. */
async function start() {
  started = spawn('node', [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(started.stdout!, 'data')) as [Buffer]
  return { child: started, port: Number(line.toString()) }
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
  expect(await once(child, 'exit')).toEqual([143, null])
})

async function startTwo(...args: readonly string[]) {
  started = spawn('node', [TWO_SERVERS, ...args], { stdio: 'pipe' })
  const output = collectOutput(started)
  const [, ...ports] = await output.until(/(\d+) (\d+)\n/)
  return { child: started, ports: ports.map(Number) as [number, number], output }
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
  expect(output.text()).not.toContain('onClose failed')
})

test('a failed onClose is reported, the other servers still close, and the exit code is 1', async () => {
  const { child, output } = await startTwo('throw')
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  expect(await exit).toEqual([1, null])
  expect(output.text()).toContain('first\n')
  expect(output.text()).toMatch(/sidecard: onClose failed: Error: the pool did not end\n +at /)
  expect(output.text()).not.toContain('cause:')
})

test('an onClose that hangs is reported after its timeout, and the exit code is 1', async () => {
  const { child, output } = await startTwo('hang')
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exit).toEqual([1, null])
  expect(output.text()).toContain('first\n')
  expect(output.text()).toContain(
    'sidecard: onClose failed: TimeoutError: Timed out after 50 ms (onCloseTimeoutMs).\n',
  )
})

test('the exit code is 1 if a response and its background work were abandoned', async () => {
  const { child, ports, output } = await startTwo('abandon')
  const busy = await open(ports[1])
  busy.on('error', () => undefined)
  busy.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await output.until(/busy\n/)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exit).toEqual([1, null])
  expect(output.text()).toContain('abandoned 1 response and 1 background task after 20 ms')
})

const namespaces = spawnSync('unshare', ['--pid', '--fork', 'true'])

test.skipIf(namespaces.status !== 0)(
  'a second signal ends the process even as PID 1, as in a container',
  async () => {
    started = spawn('unshare', ['--pid', '--fork', '--kill-child', process.execPath, SERVER], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = (await once(started.stdout!, 'data')) as [Buffer]
    const busy = await open(Number(line.toString()))
    const idle = await open(Number(line.toString()))
    busy.on('error', () => undefined)
    busy.write('GET /?request_type=fetch_data HTTP/1.1\r\nhost: x\r\n\r\n')
    await readUntil(started.stdout as never, (text) => text.includes('busy'))
    const children = readFileSync(`/proc/${started.pid}/task/${started.pid}/children`, 'utf8')
    const exit = once(started, 'exit')
    process.kill(Number(children), 'SIGTERM')
    await once(idle.resume(), 'close')
    process.kill(Number(children), 'SIGTERM')
    expect(await exit).toEqual([143, null])
  },
)

test('a signal waits for background work, and then runs onClose', async () => {
  started = spawn('node', [BACKGROUND], { stdio: 'pipe' })
  const output = collectOutput(started)
  const [, port] = await output.until(/(\d+)\n/)
  const idle = await open(Number(port))
  await fetch(`http://127.0.0.1:${port}/?request_type=fetch_data`)
  const exit = once(started, 'exit')
  started.kill('SIGTERM')
  await once(idle.resume(), 'close')
  started.stdin!.end('go')
  expect(await exit).toEqual([0, null])
  expect(output.text()).toMatch(/\d+\nwaitUntil done\naudit written\nclosed\n/)
})
