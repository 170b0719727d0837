import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { TEMPLATES } from '../../src/cli/new/templates.ts'
import { freePort } from '../helpers/free-port.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

let bench: Workbench
let cli = ''

beforeAll(async () => {
  bench = await createWorkbench()
  const { folder, tarball } = bench
  const options = ['--prefix', join(folder, 'tool'), '--no-audit', '--no-fund']
  const { output, exitCode } = await bench.run(folder, 'npm', ['install', ...options, tarball])
  if (exitCode !== 0) throw new Error(output)
  cli = join(folder, 'tool/node_modules/.bin/sidecard')
}, 300_000)
afterEach(() => bench.stop())
afterAll(() => bench.remove())

/** A command that must end well; what it wrote is the message when it does not. */
async function succeed(cwd: string, program: string, args: readonly string[], env = {}) {
  const { exitCode, output } = await bench.run(cwd, program, args, env)
  if (exitCode !== 0) throw new Error(output)
  return output
}

describe.each(TEMPLATES)('the template $name, from the tarball', ({ name }) => {
  const onWorkers = name.startsWith('workers')

  test('is scaffolded, installed, type-checked, tested, served and checked', async () => {
    const options = ['--template', name, '--sidecard', `file:${bench.tarball}`, '--yes']
    await succeed(bench.folder, cli, ['new', `app-${name}`, ...options])
    const project = join(bench.folder, `app-${name}`)
    await succeed(project, 'npm', ['run', 'check'])
    await succeed(project, 'npm', ['test'])
    if (name === 'workers-d1') await succeed(project, 'npm', ['run', 'seed'])

    const port = String(await freePort())
    const [program, args, ready] = onWorkers
      ? (['npx', ['wrangler', 'dev', '--port', port, '--inspector-port', '0'], /Ready on/] as const)
      : (['npm', ['start'], /listens on/] as const)
    await bench.start(project, program, args, { PORT: port }, ready)
    await expectItKeepsTheContract(project, port)
    const health = await fetch(`http://127.0.0.1:${port}/health`)
    expect(health.status).toBe(onWorkers ? 404 : 200)
  }, 600_000)
})

/** The secret is read from the project's own file, as its user does it. */
async function expectItKeepsTheContract(project: string, port: string) {
  const header = ['-H', 'x-sidecard-secret:env:SIDECARD_SECRET', '--expect-auth']
  const ids = ['--param', 'account_id=acc_northwind']
  const report = await succeed(project, cli, [
    'check',
    `http://127.0.0.1:${port}/`,
    ...header,
    ...ids,
  ])
  expect(report).toContain('The endpoint keeps the contract.')
}

// Where it is missing: apt-get install postgresql
const postgresBin = findPostgres()

test.skipIf(postgresBin === undefined)(
  'the template node-postgres does the same on a PostgreSQL server',
  async () => {
    const project = join(bench.folder, 'app-node-postgres')
    const postgres = startPostgres(postgresBin ?? '', await freePort())
    onTestFinished(() => postgres.stop())
    const env = { DATABASE_URL: postgres.url }
    await succeed(project, 'npm', ['run', 'migrate', '--', '--seed'], env)
    await succeed(project, 'npm', ['run', 'migrate', '--', '--seed'], env)
    await succeed(project, 'npm', ['test'], env)
    const port = String(await freePort())
    await bench.start(project, 'npm', ['start'], { ...env, PORT: port }, /listens on/)
    await expectItKeepsTheContract(project, port)
    await bench.stop()
  },
  120_000,
)

test('npm run dev shows a new app in the workspace', async () => {
  const project = join(bench.folder, 'app-node')
  const [, url = ''] = await bench.start(
    project,
    'npm',
    ['run', 'dev'],
    { PORT: '8787' },
    /Workspace {2}(http:\S+)[^]*connected/,
  )
  const page = await (await fetch(url)).text()
  expect(page).toContain('sidecard-token')
  expect((await fetch(`${url}-/assets/app.js`)).status).toBe(200)
}, 120_000)
