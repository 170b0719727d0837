import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cli } from '../../helpers/cli.ts'
import { startDev, temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'
import { listen } from '../../helpers/listen.ts'

const source = (path: string) => new URL(`../../../src/${path}`, import.meta.url).href

const SERVER = `
import { divider, secretHeader, sidecard } from '${source('index.ts')}'
import { serve } from '${source('runtime/node/index.ts')}'
const auth = secretHeader('x-key', { binding: 'KEY' })
const app = sidecard({ header: { title: 'Billing' }, auth, fetchData: () => [divider()] })
await serve(app, { port: process.env.PORT })
`

const COMMAND = `${process.execPath} --env-file=.env server.ts`
const PATH = process.env['PATH'] ?? ''

/** Creates a project whose server listens on a port. */
function createProject(port: number, key = 'one'): string {
  const folder = temporaryFolder()
  const billing = {
    url: `http://localhost:${port}/`,
    command: COMMAND,
    headers: { 'x-key': 'env:KEY' },
  }
  writeFileSync(join(folder, 'server.ts'), SERVER)
  writeFileSync(join(folder, 'package.json'), '{ "name": "first card", "type": "module" }')
  writeFileSync(join(folder, '.env'), `KEY=${key}\n`)
  writeFileSync(join(folder, 'sidecard.json'), JSON.stringify({ apps: { billing } }, null, 2))
  return folder
}

/** Runs each command that would use the server of a project, and returns its exit code and errors. */
async function runAll(cwd: string) {
  const results = []
  for (const args of [
    ['check', '--allow-unproven'],
    ['render'],
    ['dev', '--once', '--port', '0'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one command after another
    const { exitCode, stderr } = await cli(args, { cwd, env: { PATH } })
    results.push({ command: args[0], exitCode, stderr })
  }
  return results
}

test('check, render and dev use the server of the project, and reject the server of a different one', async () => {
  const port = await findFreePort()
  const folder = createProject(port)
  const dev = startDev({ cwd: folder, env: { PORT: '' } })
  await dev.until(/connected {2}billing/)
  const [checked, ...others] = await runAll(folder)
  expect([checked, ...others].map((result) => result?.exitCode)).toEqual([0, 0, 0])
  const notStarted = `server listens at http://localhost:${port}, so ${COMMAND}`
  expect(checked?.stderr).toContain(`A ${notStarted} (sidecard.json:4) is not started.\n`)
  expect(others[1]?.stderr).toContain(`a ${notStarted} is not started\n`)
  for (const key of ['one', 'two']) {
    // oxlint-disable-next-line no-await-in-loop -- one project after another
    expect(await runAll(createProject(port, key))).toEqual(
      ['check', 'render', 'dev'].map((command) => ({
        command,
        exitCode: 2,
        stderr: expect.stringMatching(
          new RegExp(
            `^(?:.*as .*\n|.*sidecard\\.json:\\d.*\n)?sidecard ${command}: The project "first card" in a different folder uses port ${port}\\. Stop it, or choose another port: set PORT=\\d+ in the environment or in \\.env\\.\n$`,
          ),
        ),
      })),
    )
  }
})

test('check, render and dev reject a program that is no app in one sentence', async () => {
  const url = await listen((_, response) => response.setHeader('content-type', 'text/html').end())
  const { port } = new URL(url)
  for (const { command, exitCode, stderr } of await runAll(createProject(Number(port)))) {
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(
          `^sidecard ${command}: Another program, which sends text/html, uses port ${port}\\. Stop it, or`,
        ),
      ),
    ])
  }
})

test.each([401, 403, 404, 302])(
  'render uses a server that rejects a handshake without a secret with a page, status %d',
  async (status) => {
    const payload = {
      version: '1.0.0',
      header: { title: 'Own' },
      components: [{ type: 'divider' }],
    }
    const url = await listen((request, response) => {
      if (request.headers['x-key'] === 'one') return response.end(JSON.stringify(payload))
      const headers = { 'content-type': 'text/html', location: '/login' }
      return response.writeHead(status, headers).end('<h1>Denied</h1>')
    })
    const { stdout, stderr, exitCode } = await cli(['render'], {
      cwd: createProject(Number(new URL(url).port)),
      env: { PATH },
    })
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('uses port')])
    expect(stdout).toContain('Own')
  },
)

test('render names a different project, even if its server sends a name that cannot be decoded', async () => {
  const url = await listen((_, response) =>
    response.setHeader('x-sidecard-project', '%E0%A4.0123456789ab').end(),
  )
  const { port } = new URL(url)
  const { stderr } = await cli(['render'], { cwd: createProject(Number(port)), env: { PATH } })
  expect(stderr).toContain(`The project "%E0%A4" in a different folder uses port ${port}.`)
})
