import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { TEMPLATES } from '../../src/cli/new/templates.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { createTestProject, type TestProject } from './test-project.ts'

let base: TestProject
let cli = ''

beforeAll(async () => {
  base = await createTestProject()
  const { folder, tarball } = base
  const options = ['--prefix', join(folder, 'tool'), '--no-audit', '--no-fund']
  const { output, exitCode } = await base.run(folder, 'npm', ['install', ...options, tarball])
  if (exitCode !== 0) throw new Error(output)
  cli = join(folder, 'tool/node_modules/.bin/sidecard')
})
afterEach(() => base.stop())
afterAll(() => base.remove())

/** Runs a command. If it fails, its output is the message of the error. */
async function runOrThrow(cwd: string, program: string, args: readonly string[], env = {}) {
  const { exitCode, output } = await base.run(cwd, program, args, env)
  if (exitCode !== 0) throw new Error(output)
  return output
}

describe.each(TEMPLATES)('the template $name, from the tarball', ({ name }) => {
  test('is scaffolded, installed, type-checked, tested, served and checked', async () => {
    const options = ['--template', name, '--sidecard', `file:${base.tarball}`, '--yes']
    await runOrThrow(base.folder, cli, ['new', `app-${name}`, ...options])
    const project = join(base.folder, `app-${name}`)
    await runOrThrow(project, 'npm', ['run', 'check'])
    await runOrThrow(project, 'npm', ['test'])
    // The commands of the README, with its ports.
    const ready = /Workspace {2}(http:\S+)[^]*connected/
    const [, workspace = ''] = await base.start(project, 'npm', ['run', 'dev'], {}, ready)
    expect(await (await fetch(workspace)).text()).toContain('sidecard-token')
    expect((await fetch(`${workspace}-/assets/app.js`)).status).toBe(200)
    expect(await runOrThrow(project, 'npm', ['run', 'verify'])).toContain(
      'The endpoint conforms to the contract.',
    )
    const health = await fetch('http://127.0.0.1:8787/health')
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }])
  }, 600_000)
})

/** The secret is read from the project's file, as users do. */
async function expectConformance(project: string, port: string) {
  const header = ['-H', 'x-sidecard-secret:env:SIDECARD_SECRET', '--expect-auth']
  const ids = ['--param', 'account_id=acc_northwind']
  const report = await runOrThrow(project, cli, [
    'check',
    `http://127.0.0.1:${port}/`,
    ...header,
    ...ids,
  ])
  expect(report).toContain('The endpoint conforms to the contract.')
}

// If PostgreSQL is missing, run apt-get install postgresql.
const postgresBin = findPostgres()

test.skipIf(postgresBin === undefined)(
  'the template node-postgres does the same on a PostgreSQL server',
  async () => {
    const project = join(base.folder, 'app-node-postgres')
    const postgres = startPostgres(postgresBin ?? '', await findFreePort())
    onTestFinished(() => postgres.stop())
    const env = { DATABASE_URL: postgres.url }
    await runOrThrow(project, 'npm', ['run', 'migrate', '--', '--seed'], env)
    await runOrThrow(project, 'npm', ['run', 'migrate', '--', '--seed'], env)
    await runOrThrow(project, 'npm', ['test'], env)
    const port = String(await findFreePort())
    // There is no service API in this test.
    const variables = { ...env, PORT: port, SIDECARD_API_URL: '' }
    await base.start(project, 'npm', ['start'], variables, /listening on/)
    await expectConformance(project, port)
    await base.stop()
  },
  120_000,
)
