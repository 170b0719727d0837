import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { collectOutput } from '../../helpers/collect-output.ts'

const SERVER = new URL('../../fixtures/forgetful-server.ts', import.meta.url).pathname
let child: ChildProcess | undefined

afterEach(() => child?.kill('SIGKILL'))

/** Starts servers with these modes in one process. `own` adds a handler of the program. */
async function start(...modes: readonly string[]) {
  const process = (child = spawn('node', [SERVER, ...modes], { stdio: 'pipe' }))
  const exit = once(process, 'exit')
  const output = collectOutput(process)
  const [line] = await output.until(/\d.*(?=\n)/)
  const urls = line.split(' ').map((port) => `http://127.0.0.1:${port}`)
  return {
    output,
    exit,
    stdin: process.stdin,
    /** Responds with `ok`, or not at all if the process ends. */
    get: async (path: string, server = 0) =>
      (await fetch(`${urls[server]}${path}`, { headers: { connection: 'close' } })).text(),
    stop: async () => {
      process.kill('SIGTERM')
      return exit
    },
  }
}

test('a forgotten promise that rejects is logged with its stack and a hint, and the server continues', async () => {
  const { get, output, stop } = await start('log')
  expect(await get('/reject')).toBe('ok')
  const [message] = await output.until(/sidecard: A promise .* cause: connect ECONNREFUSED\n/s)
  expect(message).toMatch(
    /^sidecard: A promise was not awaited: add await\. It rejected with Error: the database is down\n +at readOrdersSync /,
  )
  expect(await get('/')).toBe('ok')
  expect(await stop()).toEqual([0, null])
})

test('a rejection with any value is logged', async () => {
  const { get, output, stop } = await start('log')
  await get('/odd')
  await output.until(/It rejected with a value of type object\n/)
  expect(await get('/')).toBe('ok')
  expect(await stop()).toEqual([0, null])
})

test.each([
  ['exit', ['exit']],
  ['exit in one of two servers', ['log', 'exit']],
])('%s ends the process with code 1 and the stack', async (_name, modes) => {
  const { get, output, exit } = await start(...modes)
  await get('/reject').catch(() => undefined)
  expect(await exit).toEqual([1, null])
  expect(output.text()).toMatch(/Error: the database is down\n +at readOrdersSync /)
  expect(output.text()).not.toContain('add await')
})

test('a handler of the program takes precedence, whether added before or after serve()', async () => {
  for (const modes of [['own', 'log'], ['log']]) {
    const { get, output, stop } = await start(...modes)
    if (modes.length === 1) await get('/own')
    await get('/reject')
    await output.until(/own handler: the database is down\n/)
    expect(await get('/')).toBe('ok')
    expect(output.text()).not.toContain('add await')
    expect(await stop()).toEqual([0, null])
  }
})

test('with two servers, rejections are logged until both have closed', async () => {
  const { get, output, stdin, stop } = await start('log', 'log')
  stdin.write('close\n')
  await output.until(/closed one\n/)
  expect(await get('/reject', 1)).toBe('ok')
  await output.until(/add await/)
  expect(await get('/', 1)).toBe('ok')
  expect(await stop()).toEqual([0, null])
})

test("after the last server has closed, a rejection ends the process, as is Node's default", async () => {
  const { output, exit, stdin } = await start('log')
  stdin.write('close\n')
  await output.until(/closed one\n/)
  stdin.write('reject\n')
  expect(await exit).toEqual([1, null])
  expect(output.text()).toContain('Error: the database is down')
  expect(output.text()).not.toContain('add await')
})

test('two copies of the package log a rejection once', async () => {
  const { get, output, stop } = await start('copy', 'log')
  await get('/reject')
  await output.until(/cause: connect ECONNREFUSED\n/)
  expect(await get('/')).toBe('ok')
  expect(await stop()).toEqual([0, null])
  expect(output.text().match(/add await/g)).toHaveLength(1)
})

test('after the server with exit has closed, the other one logs', async () => {
  const { get, output, stdin, stop } = await start('exit', 'log')
  stdin.write('close\n')
  await output.until(/closed one\n/)
  expect(await get('/reject', 1)).toBe('ok')
  await output.until(/add await/)
  expect(await stop()).toEqual([0, null])
})

test('an uncaught exception ends the process', async () => {
  const { get, output, exit } = await start('log')
  await get('/throw').catch(() => undefined)
  expect(await exit).toEqual([1, null])
  expect(output.text()).toContain('Error: the database is down')
})
