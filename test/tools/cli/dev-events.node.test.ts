import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, type TestContext } from 'vitest'
import { temporaryFolder } from '../../helpers/dev-command.ts'
import { startSession } from '../../helpers/dev-session.ts'
import { findFreePort } from '../../helpers/free-port.ts'

/** A server whose data fetch returns this status and these components. */
const server = (status: number, components: unknown = []) => `
import { createServer } from 'node:http'
createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://x')
  const code = searchParams.get('code')
  response.setHeader('content-type', 'application/json')
  if (code) return response.end(JSON.stringify({ code }))
  response.statusCode = ${status}
  const header = { title: 'Test', icon_url: 'https://example.com/i.png' }
  response.end(JSON.stringify({ version: '1.0.0', header, components: ${JSON.stringify(components)} }))
}).listen(Number(process.env.PORT), '127.0.0.1')
`

/** Runs the server with no page open. Each save replaces the file. */
async function start({ onTestFinished: onEnd }: TestContext, { json = false } = {}) {
  const cwd = temporaryFolder(onEnd)
  const save = (source: string) => writeFileSync(join(cwd, 'server.mjs'), source)
  save(server(200))
  const url = `http://127.0.0.1:${await findFreePort()}/`
  const command = [process.execPath, 'server.mjs']
  const session = startSession({ url, command, json }, { onEnd, cwd })
  await session.until(json ? /"event":"ready"/ : /connected .*\n/)
  return { ...session, save, url }
}

test.concurrent('without a page, the terminal shows the failure after each failing save', async (context) => {
  const { save, until, errors } = await start(context)
  save(server(500))
  await until(/sidecard dev: .*500.*\n/)
  save(server(200, [{ type: 'txt' }]))
  await until(/sidecard dev: .*txt.*\n/)
  const before = errors()
  save(server(200))
  await until(/reloaded +server\.mjs .*\n$/)
  expect(errors()).toBe(before)
  save('\nthis is not JavaScript')
  await until(/your command failed \(exit code 1\) at server\.mjs:2\n/)
  save(server(200))
  await until(/reloaded [^]*your command failed[^]*reloaded +server\.mjs .*\n$/)
})

test.concurrent('--json prints one event in each line: ready, reloaded, failed', async (context) => {
  const { save, until, output, errors, url } = await start(context, { json: true })
  save(server(500))
  await until(/"cause":"data"/)
  save('\nthis is not JavaScript')
  await until(/"cause":"command"/)
  save(server(200))
  await until(/"event":"reloaded".*\n$/)
  // The output of the command is on standard error.
  const lines = output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(errors()).toContain('SyntaxError')
  const load = { app: 'Billing', customer: 'Northwind Traders', durationMs: expect.any(Number) }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      event: 'ready',
      workspace: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      name: 'Billing',
      url,
      state: 'connected',
    },
    {
      event: 'failed',
      cause: 'data',
      message: expect.stringContaining('500'),
      fix: expect.stringMatching(/\.$/),
      files: ['server.mjs'],
      ...load,
      outcome: 'status',
      failures: [],
    },
    {
      event: 'failed',
      cause: 'command',
      message: 'your command failed (exit code 1)',
      fix: 'Save a file to start it again.',
      location: { file: 'server.mjs', line: 2, column: expect.any(Number) },
      output: expect.stringContaining('SyntaxError'),
    },
    { event: 'reloaded', files: ['server.mjs'], ...load, outcome: 'rendered', failures: [] },
  ])
})

test.concurrent('a server that reloads itself, and did not, is reported', async ({
  onTestFinished: onEnd,
}) => {
  const cwd = temporaryFolder(onEnd)
  const withId = server(200).replace(
    'const code =',
    "response.setHeader('x-sidecard-instance', 'a'); const code =",
  )
  writeFileSync(join(cwd, 'server.mjs'), withId)
  const url = `http://127.0.0.1:${await findFreePort()}/`
  // The argument says that the command reloads itself. It does not.
  const command = [process.execPath, 'server.mjs', '--watch']
  const { until } = startSession({ url, command }, { onEnd, cwd })
  await until(/connected .*\n/)
  writeFileSync(join(cwd, 'app.ts'), '')
  const [line] = await until(/no new code.*\n/)
  expect(line).toMatch(/^no new code {2}app\.ts {2}Northwind Traders {2}rendered {2}\d+ ms\n$/)
})

test.concurrent('a build that fails immediately after a save is reported, and nothing else', async ({
  onTestFinished: onEnd,
}) => {
  const cwd = temporaryFolder(onEnd)
  const bundler = `import { watch } from 'node:fs'
    watch('.', (_event, name) => {
      if (name === 'app.ts') console.log('[ERROR] Build failed: app.ts:3:1: Expected ";"')
    })`
  writeFileSync(join(cwd, 'server.mjs'), `${bundler}\n${server(200)}`)
  const url = `http://127.0.0.1:${await findFreePort()}/`
  const command = [process.execPath, 'server.mjs', '--watch']
  const { until, output } = startSession({ url, command }, { onEnd, cwd })
  await until(/connected .*\n/)
  writeFileSync(join(cwd, 'app.ts'), '\n\nbroken')
  await until(/your command failed at app\.ts:3\n/)
  // Longer than the command has to show a sign of a restart.
  await sleep(5_500)
  expect(output()).not.toMatch(/no new code|fetched|reloaded/)
})

test.concurrent.for(['openapi.json', 'client.ts'])(
  '%s, which the server writes at each start, does not start a loop',
  async (file, { onTestFinished: onEnd, expect }) => {
    const cwd = temporaryFolder(onEnd)
    const save = (text: string) =>
      writeFileSync(
        join(cwd, 'server.mjs'),
        `import { writeFileSync } from 'node:fs'
      writeFileSync('${file}', 'generated')
      console.log('started')
      ${server(200)} // ${text}`,
      )
    save('first')
    const url = `http://127.0.0.1:${await findFreePort()}/`
    const command = [process.execPath, 'server.mjs']
    const { until, output } = startSession({ url, command }, { onEnd, cwd })
    await until(/connected .*\n/)
    const starts = () => output().match(/^started$/gm)?.length ?? 0
    save('second')
    await until(/reloaded [^\n]*server\.mjs/)
    // Longer than three restarts take, of which a loop would cause more.
    await sleep(1_500)
    expect(starts()).toBeLessThanOrEqual(4)
  },
)

test.concurrent('wrangler dev gets the port and the API as options, unless it has its own', async ({
  onTestFinished: onEnd,
}) => {
  const cwd = temporaryFolder(onEnd)
  const bin = join(cwd, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'wrangler'), '#!/bin/sh\necho "args $*"\n')
  chmodSync(join(bin, 'wrangler'), 0o755)
  const url = 'http://127.0.0.1:9/'
  const run = async (...command: readonly string[]) => {
    const session = startSession(
      { url, command, emulator: { accessToken: 'own-token' } },
      { onEnd, cwd },
    )
    const workspace = await session.workspaceUrl()
    expect(await session.exit).toBe(0)
    const [, args = ''] = /args (.*)\n/.exec(session.output()) ?? []
    return args
      .replace(workspace.replace(/\/$/, ''), '<api>')
      .replace(/(?<=PROJECT:)sidecard-dev-\w+\.[0-9a-f]{12}/, '<project>')
  }
  const api = '--var SIDECARD_API_URL:<api> --var SIDECARD_API_TOKEN:own-token'
  const project = '--var SIDECARD_PROJECT:<project>'
  const variables = `${api} --var SIDECARD_DEV:1 ${project}`
  expect(await run('wrangler', 'dev')).toBe(`dev --port 9 ${variables}`)
  expect(await run('wrangler', 'dev', '--port=9', '--var', 'SIDECARD_DEV:0')).toBe(
    `dev --port=9 --var SIDECARD_DEV:0 ${api} ${project}`,
  )
  expect(await run('wrangler', 'pages')).toBe('pages')
})

test.concurrent('two sessions take two ports for their workspaces', async ({
  onTestFinished: onEnd,
}) => {
  const first = startSession({ port: undefined }, { onEnd })
  const second = startSession({ port: undefined }, { onEnd })
  const urls = [await first.workspaceUrl(), await second.workspaceUrl()]
  const ports = urls.map((url) => Number(new URL(url).port))
  expect(new Set(ports).size).toBe(2)
  for (const port of ports) expect(port).toBeGreaterThanOrEqual(4_310)
})

test.concurrent('ten saves in a row, each right after the reload of the one before, reload ten times', async (context) => {
  const { save, until, output } = await start(context)
  const reloads = () => output().match(/reloaded +server\.mjs/g)?.length ?? 0
  for (let count = 1; count <= 10; count += 1) {
    save(`${server(200)}// ${count}\n`)
    // oxlint-disable-next-line no-await-in-loop -- one save after another
    await until(new RegExp(`(?:reloaded +server\\.mjs[^]*){${count}}`))
  }
  expect(reloads()).toBe(10)
})

test.concurrent('a server that ends without an error after a save is started again after the next one', async (context) => {
  const { save, until, url } = await start(context)
  // Many programs truncate a file before they write it.
  save('')
  await until(/your command failed \(exit code 0\)/)
  save(server(200))
  await until(/reloaded +server\.mjs .*\n$/)
  expect((await fetch(`${url}?request_type=fetch_data`)).status).toBe(200)
})

test.concurrent('many saves within a short time end with the last one', async (context) => {
  const { expect } = context
  const { save, until, url } = await start(context)
  for (let count = 1; count <= 20; count += 1) {
    save(server(200, [{ type: 'text', label: 'Count', value: String(count) }]))
    // oxlint-disable-next-line no-await-in-loop -- as a tool that edits a file step by step
    await new Promise((resolve) => setTimeout(resolve, 90))
  }
  await until(/reloaded +server\.mjs/)
  await expect
    .poll(
      async () => {
        const response = await fetch(`${url}?request_type=fetch_data`).catch(() => undefined)
        return response?.text()
      },
      { timeout: 15_000, interval: 50 },
    )
    .toContain('"value":"20"')
})
