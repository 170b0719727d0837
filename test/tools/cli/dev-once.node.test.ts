import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cli } from '../../helpers/cli.ts'
import { temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'

const BASE_ENV = { PATH: process.env['PATH'] ?? '' }

/** A server that responds to handshakes, and to data fetches as `respond` says. */
const server = (respond: string) => `
import { createServer } from 'node:http'
createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://x')
  const code = searchParams.get('code')
  response.setHeader('content-type', 'application/json')
  if (code) return response.end(JSON.stringify({ code }))
  const header = { title: 'Test', icon_url: 'https://example.com/i.png' }
  const components = [{ type: 'text', label: 'Account', value: searchParams.get('account_id') }]
  ${respond}
  response.end(JSON.stringify({ version: '1.0.0', header, components }))
}).listen(Number(process.env.PORT), '127.0.0.1')
`

/** Reports a failure with its error, as an app does with SIDECARD_DEV=1. */
const FAILING = `
  const stack = 'Error: no database\\n    at load (' + import.meta.filename + ':3:5)'
  const error = { name: 'Error', message: 'no database', stack }
  const details = [{ kind: 'section_failed', section: 'Orders', component: 0, error }]
  response.setHeader('x-sidecard-failure', 'section_failed; component=0')
  response.setHeader('x-sidecard-error', ':' + btoa(JSON.stringify(details)) + ':')
`

/** Runs `sidecard dev --once` with a server that responds in this way. */
async function runOnce(source: string, ...args: readonly string[]) {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'server.mjs'), source)
  const env = { ...BASE_ENV, PORT: String(await findFreePort()) }
  const options = ['--once', '--port', '0', '--name', 'Billing', ...args]
  const command = ['--', process.execPath, 'server.mjs']
  return { ...(await cli(['dev', ...options, ...command], { cwd, env })), env }
}

test('--once prints the sidebar of the customer, stops the app, and exits with 0', async () => {
  const { exitCode, stdout, stderr, env } = await runOnce(server(''), '--param', 'account_id=acme')
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toBe(
    `connected  Billing at http://127.0.0.1:${env.PORT}/\n\nTest\n\nAccount  acme\n`,
  )
  await expect(fetch(`http://127.0.0.1:${env.PORT}`)).rejects.toThrow('fetch failed')
})

test('--once --json prints one line of JSON', async () => {
  const { exitCode, stdout } = await runOnce(server(''), '--json', '--param', 'account_id=acme')
  expect(exitCode).toBe(0)
  expect(stdout.trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(stdout)).toEqual({
    event: 'opened',
    ok: true,
    outcome: 'rendered',
    message: '',
    fix: '',
    text: 'Test\n\nAccount  acme\n',
    failures: [],
  })
})

test('--once prints every failure with its file and line, and exits with 1', async () => {
  const { exitCode, stdout, stderr } = await runOnce(server(FAILING))
  expect(exitCode).toBe(1)
  expect(stdout).toContain('Account  ')
  expect(stderr).toContain(
    'sidecard dev: a section failed (Orders): no database at server.mjs:3\n  Error: no database\n      at load (server.mjs:3:5)\n',
  )
  const asJson = await runOnce(server(FAILING), '--json')
  expect(asJson.exitCode).toBe(1)
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    ok: false,
    outcome: 'failed',
    failures: [
      {
        kind: 'section_failed',
        section: 'Orders',
        error: {
          message: 'no database',
          location: { file: 'server.mjs', line: 3, column: 5 },
        },
      },
    ],
  })
})

test('--once exits with 1 for an invalid payload, and says what to do', async () => {
  const broken = server("components[0].type = 'txt'")
  const { exitCode, stderr } = await runOnce(broken)
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^sidecard dev: unknown_component: .*txt/)
  const asJson = await runOnce(broken, '--json')
  expect(asJson.exitCode).toBe(1)
  expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, outcome: 'unknown_component' })
})

test('--once exits with 1 if the command fails, with its error', async () => {
  const { exitCode, stderr } = await runOnce("\nthrow new Error('no database')\n")
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/no database[^]*your command failed \(exit code 1\) at server\.mjs:2\n$/)
  expect(stderr.match(/throw new Error/g)).toHaveLength(1)
  expect(stderr).not.toContain('Save a file')
  const asJson = await runOnce("\nthrow new Error('no database')\n", '--json')
  expect(asJson.exitCode).toBe(1)
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    event: 'failed',
    cause: 'command',
    location: { file: 'server.mjs', line: 2 },
    output: expect.stringContaining('no database'),
  })
})

test('--once exits with 1 if the handshake fails, or the command ends', async () => {
  const rejecting = await runOnce(
    server('').replace('if (code)', 'if (code) response.statusCode = 401\n  if (code)'),
  )
  expect(rejecting.exitCode).toBe(1)
  expect(rejecting.stdout).toContain('unverified  Billing')
  const ended = await runOnce('')
  expect([ended.exitCode, ended.stderr]).toEqual([
    1,
    'sidecard dev: your command ended before it listened\n',
  ])
})

test('--command is split at spaces, and options can follow it', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'server.mjs'), server(''))
  const env = { ...BASE_ENV, PORT: String(await findFreePort()) }
  const args = ['dev', '--command', `${process.execPath}  server.mjs`, '--port', '0', '--once']
  expect((await cli(args, { cwd, env })).exitCode).toBe(0)
})

test.each([
  [['--command', 'node a', '--', 'node', 'b'], /--command or after --, not both/],
  [['--command', 'node "a b"'], /--command is split at spaces/],
  [['--command', ''], /--command must be a non-empty string/],
])('%j is invalid usage', async (args, message) => {
  const { exitCode, stderr } = await cli(['dev', ...args], { cwd: temporaryFolder() })
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)])
})

test.each(['abc', '0', '70000', '80.5'])('the port %s in PORT is invalid usage', async (PORT) => {
  const { exitCode, stderr } = await cli(['dev'], { cwd: temporaryFolder(), env: { PORT } })
  expect([exitCode, stderr]).toEqual([
    2,
    'sidecard dev: PORT must be an integer from 1 to 65535.\n',
  ])
})

test('a port that is in use leads to a command that works', async () => {
  const port = await findFreePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, '.env'), `PORT=${port}\n`)
  writeFileSync(join(cwd, 'server.mjs'), server(''))
  writeFileSync(join(cwd, 'package.json'), '{ "scripts": { "dev": "sidecard dev" } }')
  const script = { npm_lifecycle_event: 'dev', npm_config_user_agent: 'pnpm/10.0.0 node/v24' }
  const args = ['dev', '--once', '--port', '0', '--command', `${process.execPath} server.mjs`]
  const taken = await cli(args, { cwd, env: { ...BASE_ENV, ...script } })
  expect(taken.exitCode).toBe(2)
  const [, advised = ''] =
    /choose another port: PORT=(\d+) pnpm run dev\n$/.exec(taken.stderr) ?? []
  const { exitCode, stdout } = await cli(args, { cwd, env: { ...BASE_ENV, PORT: advised } })
  expect(exitCode).toBe(0)
  expect(stdout).toContain(`http://127.0.0.1:${advised}/`)
})
