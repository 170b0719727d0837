import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLAIN } from '../../src/check/reporters/palette.ts'
import { runDevSession } from '../../src/cli/dev/session.ts'
import { TOKEN_HEADER } from '../../src/emulator/protocol.ts'
import { freePort } from '../helpers/free-port.ts'

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))

/** An endpoint without a framework, whose sidebar says what the test writes into it. */
const endpoint = (port: number, says: string) => `
import { createServer } from 'node:http'
createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://x')
  if (request.headers['x-key'] !== 'from-a-file') return response.writeHead(401).end()
  const header = { title: 'Test', icon_url: 'https://example.com/i.png' }
  const components = [{ type: 'text', label: 'Says', value: ${JSON.stringify(says)} }]
  const isVerify = searchParams.get('request_type') === 'verify'
  const answer = isVerify ? { code: searchParams.get('code') } : { version: '1.0.0', header, components }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
}).listen(${port}, '127.0.0.1')
`

let folder = ''
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-dev-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    // Not SIGKILL: it ends the server that it has started only when it is asked to end.
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Runs `sidecard dev` in the folder, as a person would, and reads what it writes. */
function dev(...args: readonly string[]) {
  const child = spawn(process.execPath, [bin, 'dev', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  children.push(child)
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  let written = ''
  const readers = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      written += chunk
      for (const read of readers) read()
    })
  }
  const until = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      const read = () => {
        const found = pattern.exec(written)
        if (found === null) return
        readers.delete(read)
        resolve(found)
      }
      readers.add(read)
      read()
    })
  return { child, exit, until, written: () => written }
}

/** What the page of the workspace can do. */
async function openWorkspace(url: string) {
  const page = await (await fetch(url)).text()
  const token = /name="sidecard-token" content="(\w+)"/.exec(page)?.[1] ?? ''
  const headers = { [TOKEN_HEADER]: token, 'content-type': 'application/json' }
  const events = await fetch(`${url}-/events`, { headers })
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    async nextChange(): Promise<void> {
      let text = ''
      while (!text.includes('source_changed')) {
        const { value, done } = (await reader?.read()) ?? { done: true, value: '' }
        if (done) throw new Error('the events have ended')
        text += value
      }
    },
    async sidebar() {
      const opened = await fetch(`${url}-/issues/iss_1042/open`, {
        method: 'POST',
        headers,
        body: '{}',
      })
      const { widgets } = (await opened.json()) as { widgets: any[] }
      const [{ outcome, payload, lastGood }] = widgets as [any]
      return {
        outcome,
        says: payload?.components[0].value,
        before: lastGood?.payload.components[0].value,
      }
    },
  }
}

describe('sidecard dev', () => {
  test('starts the command, connects it, and shows each saved change', async () => {
    const port = await freePort()
    writeFileSync(join(folder, 'server.mjs'), endpoint(port, 'first'))
    writeFileSync(join(folder, '.env'), 'KEY=from-a-file\n')
    const options = ['--port', '0', '--url', `http://127.0.0.1:${port}`, '-H', 'x-key: env:KEY']
    const command = [process.execPath, '--watch', 'server.mjs']
    const { until, child, exit } = dev(...options, '--', ...command)
    const [, url = ''] = await until(/Workspace {2}(http:\S+)/)
    await until(/connected {2}/)
    const workspace = await openWorkspace(url)
    expect(await workspace.sidebar()).toEqual({ outcome: 'rendered', says: 'first' })

    writeFileSync(join(folder, 'server.mjs'), endpoint(port, 'second'))
    let shown
    do {
      await workspace.nextChange()
      shown = await workspace.sidebar()
    } while (shown.says !== 'second')

    writeFileSync(join(folder, 'server.mjs'), 'this is no JavaScript')
    do {
      await workspace.nextChange()
      shown = await workspace.sidebar()
    } while (shown.outcome === 'rendered')
    expect(shown).toEqual({ outcome: 'unreachable', before: 'second' })

    writeFileSync(join(folder, 'server.mjs'), endpoint(port, 'third'))
    do {
      await workspace.nextChange()
      shown = await workspace.sidebar()
    } while (shown.outcome !== 'rendered')
    expect(shown.says).toBe('third')

    child.kill('SIGINT')
    expect(await exit).toEqual([0, null])
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  }, 60_000)

  test('ends at once when it is interrupted before the endpoint answers', async () => {
    const { until, child, exit } = dev('--port', '0', '--url', 'http://127.0.0.1:9')
    await until(/Workspace/)
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  }, 30_000)

  test('ends when the command ends, and says how', async () => {
    const { exit, written } = dev('--port', '0', '--', process.execPath, '-e', 'process.exit(3)')
    expect(await exit).toEqual([1, null])
    expect(written()).toContain('the command ended with exit code 3')
  }, 30_000)

  test('ends well when the command ends well', async () => {
    const { exit, written } = dev('--port', '0', '--', process.execPath, '-e', '')
    expect(await exit).toEqual([0, null])
    expect(written()).not.toContain('the command')
  }, 30_000)

  test('says why an app does not connect, and what to do', async () => {
    const port = await freePort()
    writeFileSync(join(folder, 'server.mjs'), endpoint(port, 'x'))
    const options = ['--port', '0', '--url', `http://127.0.0.1:${port}`]
    const { until } = dev(...options, '--', process.execPath, 'server.mjs')
    const [line = ''] = await until(/unverified[^\n]*\n[^\n]*\n/)
    expect(line).toContain('answered 401')
    expect(line.split('\n')[1]).toMatch(/\S/)
  }, 30_000)

  test.each([
    ['a command that is not there', ['--', 'no-such-program-here'], 'cannot be run'],
    ['a header without a value', ['-H', 'x-key: env:NOT_SET_ANYWHERE'], 'NOT_SET_ANYWHERE'],
    ['an address that is none', ['--url', 'localhost'], 'http'],
    ['a seed that is none', ['--seed', 'huge'], 'default, large, empty'],
    ['a port that is none', ['--port', '70000'], '65535'],
    ['a database in no folder', ['--db', 'no/folder/x.sqlite'], 'folder'],
  ])(
    '%s is wrong usage, in one line',
    async (_name, args, says) => {
      const { exit, written } = dev('--port', '0', ...args)
      expect(await exit).toEqual([2, null])
      const lines = written().trim().split('\n')
      expect(lines.at(-1)).toContain(says)
      expect(lines.at(-1)).toMatch(/^sidecard dev: /)
    },
    30_000,
  )

  test('a port that is taken is told with what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { exit, written } = dev('--port', String(port))
    expect(await exit).toEqual([2, null])
    expect(written()).toMatch(/^sidecard dev: Port \d+ is taken.*--port/)
    server.close()
  }, 30_000)

  test('an endpoint that never answers is told with what to do, while it waits', async () => {
    const controller = new AbortController()
    let stderr = ''
    const settings = {
      url: 'http://127.0.0.1:9/',
      headers: {},
      name: 'x',
      port: 0,
      database: ':memory:',
      seed: 'default',
      strict: false,
      open: false,
      command: [],
      adviseAfterMs: 1,
    } as const
    const io = {
      stdin: (async function* () {})(),
      stdout: { write: () => true },
      stderr: {
        write(text: string) {
          stderr += text
          controller.abort()
        },
      },
      env: {},
      cwd: folder,
      palette: PLAIN,
      color: false,
    }
    expect(await runDevSession(settings, io, controller.signal)).toBe(0)
    expect(stderr).toMatch(/nothing answers at http:\/\/127\.0\.0\.1:9\/.*--url/)
  })
})
