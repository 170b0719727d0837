import { spawn } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { collectOutput } from '../helpers/collect-output.ts'
import { draw } from '../helpers/draw.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { createEnvironment, createScaffold, type Scaffold } from '../helpers/scaffold.ts'
import { testFailures } from './failures.ts'

const NODE_TEMPLATES = TEMPLATES.filter(({ host }) => host.name === 'node')

/** The variables that production needs besides the secret. */
const PRODUCTION: Readonly<Record<string, Record<string, string>>> = {
  http: { API_URL: 'http://127.0.0.1:9' },
  postgres: { DATABASE_URL: 'postgres://127.0.0.1:9/none' },
  sqlite: { DATABASE_PATH: ':memory:' },
  sample: {},
}

/** Starts the server as the image does. @returns its output after it listens, and its URL */
async function startProduction({ folder }: Scaffold, env: Readonly<Record<string, string>>) {
  const port = String(await findFreePort())
  const child = spawn(process.execPath, ['src/server.ts'], {
    cwd: folder,
    env: { ...createEnvironment(), NODE_ENV: 'production', PORT: port, ...env },
  })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  })
  const { until, text } = collectOutput(child)
  await until(/listening on/)
  return { text, url: `http://127.0.0.1:${port}`, until }
}

const drawn = draw(TEMPLATES, 3)

describe.each(TEMPLATES)('a new project of the template $name', (template) => {
  const { name, host } = template

  test.runIf(drawn.includes(template))(
    'has types, lint and tests that pass',
    async () => {
      const project = await createScaffold(name)
      // A fresh clone, as in CI, has no local secrets.
      rmSync(join(project.folder, host.secretsFile))
      for (const script of ['typecheck', 'lint']) {
        expect(project.npm(['run', script])).toMatchObject({ exitCode: 0 })
      }
      expect(project.npm(['test']).output).toMatch(/^ℹ pass 6$|Tests +6 passed/m)
    },
    120_000,
  )

  test('reports the details of failures during development only', async () => {
    const { folder } = await createScaffold(name)
    // `sidecard dev` sets the variable.
    for (const file of [host.secretsFile, 'package.json', 'wrangler.jsonc', 'Dockerfile']) {
      const path = join(folder, file)
      const content = existsSync(path) ? readFileSync(path, 'utf8') : ''
      expect([file, content]).toEqual([file, expect.not.stringContaining('SIDECARD_DEV')])
    }
  })

  test('ignores its secrets, its real customers and the databases of the emulator', async () => {
    const { folder } = await createScaffold(name)
    const ignored = readFileSync(join(folder, '.gitignore'), 'utf8').split('\n')
    const files = [host.secretsFile, 'sidecard.local.json', '*.db', '*.db-*', '*.sqlite*']
    expect(ignored).toEqual(expect.arrayContaining(files))
  })
})

// The templates of a host share their tests, so the weekly run has the other templates.
testFailures(['node', 'workers'])

describe.each(NODE_TEMPLATES)(
  'the server of the template $name in production',
  ({ name, data }) => {
    const env = PRODUCTION[data.name] ?? {}

    test('warns of nothing, except that it has no customers', async () => {
      const project = await createScaffold(name)
      // The image does not contain the files of development.
      rmSync(join(project.folder, 'dev'), { recursive: true })
      const { text, until, url } = await startProduction(project, { ...env, SIDECARD_SECRET: 's' })
      if (data.name === 'sample') await until(/customers/)
      const lines = [`Sidebar app listening on ${url}`]
      if (data.name === 'sample') lines.push('There are no customers yet: see src/customers.ts.')
      expect(text().trim().split('\n')).toEqual(lines)
      const { status } = await fetch(`${url}/health`)
      expect(status).toBe(data.name === 'sample' || data.name === 'sqlite' ? 200 : 503)
    })

    test('names a missing secret', async () => {
      const project = await createScaffold(name)
      const { until, text } = await startProduction(project, env)
      await until(/SIDECARD_SECRET/)
      expect(text()).toContain('all requests are rejected')
    })

    test('is copied into its image with everything that it needs, and without more', async () => {
      const { folder } = await createScaffold(name)
      const lines = readFileSync(join(folder, 'Dockerfile'), 'utf8').split('\n')
      const sources = lines
        .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
        .flatMap((line) => line.split(' ').slice(1, -1))
        .filter((source) => !source.includes('*'))
      for (const source of sources)
        expect([source, existsSync(join(folder, source))]).toEqual([source, true])
      const [, entry = ''] = /^CMD \["node", "(.+)"\]$/m.exec(lines.join('\n')) ?? []
      expect(existsSync(join(folder, entry))).toBe(true)
      const migrations = data.name === 'sqlite' ? ['migrations'] : []
      expect(sources).toEqual(['package.json', ...migrations, 'src'])
      expect(lines.join('\n')).toContain('RUN npm ci --omit=dev --omit=optional ')
    })
  },
)

test.each([
  ['http', 'API_URL'],
  ['postgres', 'DATABASE_URL'],
])('the server with the data source %s names a missing %s', async (data, variable) => {
  const project = await createScaffold(data === 'http' ? 'node' : `node-${data}`)
  const { until, url } = await startProduction(project, { SIDECARD_SECRET: 's' })
  await until(new RegExp(`binding ${variable} is missing`))
  const headers = { 'x-sidecard-secret': 's' }
  expect((await fetch(`${url}/?request_type=verify&code=1`, { headers })).status).toBe(500)
})

test('a Worker with sample customers has none in production, and says so', async () => {
  const { folder } = await createScaffold('workers-sample')
  const entry = readFileSync(join(folder, 'src/index.ts'), 'utf8')
  expect(entry).toContain("console.warn('There are no customers yet: see src/customers.ts.')")
  expect(entry + readFileSync(join(folder, 'src/customers.ts'), 'utf8')).not.toMatch(
    /dev\/|Northwind/,
  )
})

test('the scripts of a project in a workspace find the packages in its root', async () => {
  const project = await createScaffold('node')
  renameSync(join(project.folder, 'node_modules'), join(project.folder, '..', 'node_modules'))
  for (const args of [['run', 'typecheck'], ['test']]) {
    const { exitCode, output } = project.npm(args)
    expect([exitCode, output]).toEqual([0, expect.any(String)])
  }
}, 60_000)
