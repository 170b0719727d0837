import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { test, type TestContext } from 'vitest'
import { cli } from '../../helpers/cli.ts'
import { bin, isAlive, startProcess, temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'

const PATH = process.env['PATH'] ?? ''
const CUSTOMERS = {
  Northwind: { ids: { account_id: 'acc_northwind' }, shows: ['Northwind Traders'] },
  Lumen: { ids: { account_id: 'acc_lumen' }, shows: ['Lumen Optics'] },
}

/** An app without a framework that requires a secret and knows two customers. */
const SERVER = `
import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
const NAMES = { acc_northwind: 'Northwind Traders', acc_lumen: 'Lumen Optics' }
writeFileSync('server.pid', String(process.pid))
writeFileSync('secret.txt', process.env.SIDECARD_SECRET ?? '')
createServer((request, response) => {
  const problem = (status, title) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...(status === 405 && { allow: 'GET' }) })
    response.end(JSON.stringify({ title, status }))
  }
  if (request.method !== 'GET') return problem(405, 'Only GET')
  if (request.headers['x-sidecard-secret'] !== process.env.SIDECARD_SECRET) return problem(401, 'Unauthorized')
  const query = new URL(request.url, 'http://x').searchParams
  const one = (name) => query.getAll(name).length === 1 ? query.get(name) : null
  const type = one('request_type')
  const send = (value) => {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    response.end(JSON.stringify(value))
  }
  if (type === 'verify') {
    const code = one('code')
    return code && code.length <= 512 ? send({ code }) : problem(400, 'No code')
  }
  if (type !== 'fetch_data') return problem(400, 'Unknown request type')
  const value = NAMES[query.get('account_id')]
  const header = { title: 'Account', icon_url: 'https://example.com/i.png' }
  const components = value === undefined ? [] : [{ type: 'text', label: 'Name', value }]
  send({ version: '1.0.0', header, components })
}).listen(Number(process.env.PORT), '127.0.0.1')
`

/** A project whose app is started by its command. */
async function createProject(
  { onTestFinished: onEnd }: TestContext,
  { file = {}, ...app }: Record<string, unknown> = {},
) {
  const folder = temporaryFolder(onEnd)
  const url = `http://127.0.0.1:${await findFreePort()}/`
  writeFileSync(join(folder, 'server.mjs'), SERVER)
  const command = `${process.execPath} server.mjs`
  const headers = { 'x-sidecard-secret': 'env:SIDECARD_SECRET' }
  const apps = { account: { url, command, headers, ...app } }
  write(folder, { apps, customers: CUSTOMERS, ...(file as object) })
  return { folder, url }
}

const write = (folder: string, value: unknown, name = 'sidecard.json') =>
  writeFileSync(join(folder, name), JSON.stringify(value, null, 2))

const run = (cwd: string, ...args: readonly string[]) =>
  cli(['check', ...args], { cwd, env: { PATH } })

test.concurrent('check starts the app with a random secret, checks every customer, and ends the app', async (context) => {
  const { expect } = context
  const { folder, url } = await createProject(context)
  const { stdout, stderr, exitCode } = await run(folder)
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('conforms to the contract')])
  expect(stderr).toBe(
    `Starting ${process.execPath} server.mjs (sidecard.json:4).\nChecking account at ${url} (sidecard.json:4, random SIDECARD_SECRET) as Northwind and Lumen.\n`,
  )
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

/** Starts a server that notes the headers of its requests, and rejects all of them. */
async function listenAndNote({ onTestFinished: onEnd }: TestContext) {
  const received: string[] = []
  const server = createServer(({ headers }, response) => {
    received.push(JSON.stringify(headers))
    response.writeHead(401).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { received, url: `http://127.0.0.1:${port}/` }
}

test.concurrent('a server that listens is not started, and its secret must be configured', async (context) => {
  const { expect } = context
  const { url } = await listenAndNote(context)
  const { folder } = await createProject(context, { url })
  writeFileSync(join(folder, '.env.example'), 'SIDECARD_SECRET=')
  const missing = await run(folder)
  expect([missing.exitCode, missing.stdout, missing.stderr]).toEqual([
    2,
    '',
    `A server listens at ${new URL(url).origin}, so ${process.execPath} server.mjs (sidecard.json:4) is not started.\n` +
      'sidecard check: SIDECARD_SECRET, used by header "x-sidecard-secret" (sidecard.json:4), is not set in the environment, .env or .dev.vars. Copy .env.example to .env and set the values.\n',
  ])
  writeFileSync(join(folder, '.env'), 'SIDECARD_SECRET=hunter2-from-env\n')
  const found = await run(folder)
  expect(found.stderr).toContain(
    `Checking account at ${url} (sidecard.json:4, SIDECARD_SECRET of .env)`,
  )
  expect(found.stdout + found.stderr).not.toContain('hunter2')
})

test.concurrent('headers of the file are not sent to another URL, not even of another port', async (context) => {
  const { expect } = context
  const { folder } = await createProject(context)
  writeFileSync(join(folder, '.env'), 'SIDECARD_SECRET=hunter2-from-env\n')
  const { url, received } = await listenAndNote(context)
  const { stderr } = await run(folder, url)
  expect(stderr).toBe('')
  expect(received.length).toBeGreaterThan(0)
  expect(received.join('\n')).not.toMatch(/hunter2|x-sidecard-secret/)
})

test.concurrent('a URL of the file on the command line is the app, with its headers and customers', async (context) => {
  const { expect } = context
  const { folder, url } = await createProject(context)
  const { stderr } = await run(folder, url.replace(/\/$/, ''), '--param', 'account_id=acc_lumen')
  expect(stderr).toMatch(
    /^Starting .*\nChecking account at \S+ \(sidecard\.json:4, random SIDECARD_SECRET\)\.\n$/,
  )
})

test.concurrent('a command that ends is reported with its output, and exits with 3', async (context) => {
  const { expect } = context
  const { folder, url } = await createProject(context)
  writeFileSync(join(folder, 'server.mjs'), "throw new Error('no database')")
  const { stderr, stdout, exitCode } = await run(folder)
  expect([exitCode, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(/server\.mjs ended \(exit code 1\)\.\n[^]*Error: no database/)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test.concurrent.for(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'the app ends with a check that %s ends',
  async (signal, context) => {
    const { expect, onTestFinished: onEnd } = context
    const { folder } = await createProject(context)
    // The check waits for a response that never comes.
    writeFileSync(
      join(folder, 'server.mjs'),
      `${SERVER.slice(0, SERVER.indexOf('createServer((')).replace('process.pid', 'process.pid')}
      createServer(() => console.error('request')).listen(Number(process.env.PORT), '127.0.0.1')`,
    )
    const check = startProcess(process.execPath, [bin, 'check'], { cwd: folder, onEnd })
    await check.until(/Checking account/)
    const pid = Number(readFileSync(join(folder, 'server.pid'), 'utf8'))
    expect(isAlive(pid)).toBe(true)
    check.child.kill(signal)
    const [code] = await check.exit
    expect(code).toBe(signal === 'SIGKILL' ? null : 130)
    await expect.poll(() => isAlive(pid)).toBe(false)
  },
)

test.concurrent('an environment is checked as its customers, with its headers', async (context) => {
  const { expect } = context
  const { url, received } = await listenAndNote(context)
  const production = { url, headers: { 'x-key': 'env:PRODUCTION_KEY' }, customers: ['Lumen'] }
  const { folder } = await createProject(context, { environments: { production } })
  writeFileSync(join(folder, '.env'), 'PRODUCTION_KEY=other\nSIDECARD_SECRET=hunter2\n')
  const { stderr } = await run(folder, 'account', '--env', 'production')
  expect(stderr).toMatch(
    /^Checking account production at \S+ \(sidecard\.json:\d+, PRODUCTION_KEY of \.env\) as Lumen\.\n$/,
  )
  expect(received.join('\n')).toContain('"x-key":"other"')
  expect(received.join('\n')).not.toContain('hunter2')
  const unknown = await run(folder, '--env', 'prodction')
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    2,
    'sidecard check: --env: there is no environment of account "prodction". Did you mean production?\n',
  ])
})

test.concurrent('a URL of another machine is used only if the command line names the app', async (context) => {
  const { expect } = context
  const { folder } = await createProject(context, {
    url: 'http://sidecard.invalid/',
    command: undefined,
  })
  writeFileSync(join(folder, '.env'), 'SIDECARD_SECRET=hunter2\n')
  const all = await run(folder)
  expect([all.exitCode, all.stderr]).toEqual([
    2,
    'sidecard check: sidecard.json:4: the URL of account is not on this machine. To use it, name the app.\n',
  ])
  const named = await run(folder, 'account')
  expect([named.exitCode, named.stderr]).toEqual([
    3,
    expect.stringContaining('Checking account at'),
  ])
})

test.concurrent('a command for a URL of another machine is never started', async (context) => {
  const { expect } = context
  const { folder } = await createProject(context, { url: 'http://sidecard.invalid/' })
  writeFileSync(join(folder, '.env'), 'SIDECARD_SECRET=hunter2\n')
  const { stderr } = await run(folder, 'account')
  expect(stderr).not.toContain('Starting')
  expect(existsSync(join(folder, 'server.pid'))).toBe(false)
})

test.concurrent('all apps are checked, and the worst exit code counts', async (context) => {
  const { expect } = context
  const { folder } = await createProject(context)
  const { apps } = JSON.parse(readFileSync(join(folder, 'sidecard.json'), 'utf8'))
  const second = { url: `http://127.0.0.1:${await findFreePort()}/` }
  write(folder, { apps: { ...apps, second }, customers: CUSTOMERS })
  const { stdout, stderr, exitCode } = await run(folder)
  expect(exitCode).toBe(3)
  expect(stderr).toMatch(/Checking account at[^]*Checking second at/)
  expect(stdout).toMatch(/conforms to the contract[^]*The endpoint is unreachable/)
  for (const args of [['--json'], ['-H', 'x-a: 1'], ['--output', 'report.txt']]) {
    // oxlint-disable-next-line no-await-in-loop -- nothing is checked
    expect((await run(folder, ...args)).stderr).toMatch(
      / is for one app\. Name it: sidecard check account\n$/,
    )
  }
  const one = await run(folder, 'account', '--json')
  expect([one.exitCode, JSON.parse(one.stdout).verdict]).toEqual([0, 'conforms'])
  expect((await run(folder, 'acount')).stderr).toContain('Did you mean account?')
})

test.concurrent('the local file replaces entries, and the report of the command says so', async (context) => {
  const { expect } = context
  const { folder, url } = await createProject(context)
  const Northwind = { ids: { account_id: 'acc_1' }, shows: ['Northwind Traders'] }
  write(folder, { customers: { Northwind } }, 'sidecard.local.json')
  const { stderr } = await run(folder)
  expect(stderr).toContain(
    `at ${url} (sidecard.json:4, random SIDECARD_SECRET) as Northwind (sidecard.local.json:3) and Lumen.`,
  )
})

test.concurrent('the search for the file ends at the first folder with a package.json or .git', async (context) => {
  const { expect } = context
  const { folder } = await createProject(context)
  for (const inside of ['src/deep', 'packages/other'])
    mkdirSync(join(folder, inside), { recursive: true })
  writeFileSync(join(folder, 'packages/other/package.json'), '{}')
  const found = await run(join(folder, 'src/deep'))
  expect([found.exitCode, found.stderr]).toEqual([0, expect.stringContaining('Checking account')])
  const other = await cli(['check'], {
    cwd: join(folder, 'packages/other'),
    env: { PATH, PORT: '1' },
  })
  expect([other.exitCode, other.stderr]).toEqual([3, ''])
})

test.concurrent('PORT moves the server and the check of a project with one app', async (context) => {
  const { expect } = context
  const { folder } = await createProject(context)
  const port = String(await findFreePort())
  const { stderr, exitCode } = await cli(['check'], { cwd: folder, env: { PATH, PORT: port } })
  expect(exitCode).toBe(0)
  expect(stderr).toContain(`http://127.0.0.1:${port}/ (port of PORT, sidecard.json:4,`)
})

test.concurrent('an invalid file is invalid usage, with its line', async (context) => {
  const { expect } = context
  const { folder } = await createProject(context, { file: { state: {} } })
  const { stderr, exitCode } = await run(folder)
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(
      /^sidecard check: sidecard\.json:\d+: state is not known\. Did you mean "states"\?\n$/,
    ),
  ])
})
