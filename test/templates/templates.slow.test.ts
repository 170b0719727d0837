import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TEMPLATES } from '../../src/cli/new/templates.ts'
import { createScaffold } from '../helpers/scaffold.ts'

const NODE_TEMPLATES = TEMPLATES.filter(({ name }) => name.startsWith('node'))

/** Makes the script believe that it runs on this version of Node. */
const pretend = (version: string) =>
  `Object.defineProperty(process.versions, 'node', { value: '${version}' }); import('./check-setup.js')`

describe.each(TEMPLATES)('a new project of the template $name', ({ name, secretsFile, node }) => {
  test('has types and tests that pass', async () => {
    const project = await createScaffold(name)
    // A fresh clone, as in CI, has no local secrets.
    rmSync(join(project.folder, secretsFile))
    const check = project.npm(['run', 'check'])
    if (check.exitCode !== 0) throw new Error(check.output)
    const { exitCode, output } = project.npm(['test'])
    if (exitCode !== 0) throw new Error(output)
    expect(output).toMatch(/^ℹ pass [12]\d$|Tests +[12]\d passed/m)
  }, 120_000)

  test('reports missing requirements before its tests and its dev server start', async () => {
    const project = await createScaffold(name)
    const { scripts } = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8'))
    expect(scripts.test).toMatch(/^node check-setup\.js && /)
    expect(scripts.dev).toMatch(new RegExp(`^node check-setup\\.js \\${secretsFile} && `))
    expect(project.node(['check-setup.js', secretsFile])).toEqual({ exitCode: 0, output: '' })
    expect(project.node(['--eval', pretend(`${node}.0`)]).exitCode).toBe(0)
    expect(project.node(['--eval', pretend('20.19.2')])).toEqual({
      exitCode: 1,
      output: `This project requires Node ${node} or later. You are running Node 20.19.2.\n`,
    })
    rmSync(join(project.folder, 'node_modules'), { recursive: true })
    rmSync(join(project.folder, secretsFile))
    expect(project.node(['check-setup.js', secretsFile])).toEqual({
      exitCode: 1,
      output: `Packages are not installed. Run npm install.\nCopy ${secretsFile}.example to ${secretsFile} and set the values.\n`,
    })
  })

  test('reports the details of failures during development only', async () => {
    const { folder } = await createScaffold(name)
    const { dev, ...others } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ).scripts
    // `sidecard dev` sets the variable.
    expect(dev).toMatch(/ sidecard dev .* --command "(?:node|wrangler) .*"$/)
    expect(JSON.stringify([dev, others])).not.toContain('SIDECARD_DEV')
    for (const file of [secretsFile, `${secretsFile}.example`, 'wrangler.jsonc', 'Dockerfile']) {
      const path = join(folder, file)
      const content = existsSync(path) ? readFileSync(path, 'utf8') : ''
      expect([file, content]).toEqual([file, expect.not.stringContaining('SIDECARD_DEV')])
    }
  })

  test('ignores its secrets and the databases of the emulator', async () => {
    const { folder } = await createScaffold(name)
    const ignored = readFileSync(join(folder, '.gitignore'), 'utf8').split('\n')
    expect(ignored).toEqual(
      expect.arrayContaining([secretsFile, '*.db', '*.db-*', '*.sqlite', '*.sqlite-*']),
    )
  })
})

describe.each(NODE_TEMPLATES)('the server of the template $name', ({ name }) => {
  test('names an invalid variable in one line and does not start', async () => {
    const project = await createScaffold(name)
    const { exitCode, output } = project.node(['src/server.ts'], { PORT: 'abc' })
    expect([exitCode, output]).toEqual([
      1,
      'Environment variable PORT: Invalid input: expected number, received NaN\n',
    ])
  })

  test('names a missing variable, and where to set it', async () => {
    const project = await createScaffold(name)
    const path = join(project.folder, 'src/env.ts')
    const schema = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      schema.replace('SIDECARD_SECRET: z.string().optional()', 'SIDECARD_SECRET: z.string()'),
    )
    expect(project.node(['src/server.ts'])).toEqual({
      exitCode: 1,
      output:
        'Environment variable SIDECARD_SECRET is missing. Set it in .env or in the environment.\n',
    })
  })

  test('an empty PORT counts as absent', async () => {
    const project = await createScaffold(name)
    const program =
      "import { envSchema } from './src/env.ts'; import { readEnv } from './src/read-env.ts'; console.log(readEnv(envSchema).PORT)"
    const args = ['--input-type=module', '--eval', program]
    expect(project.node(args, { PORT: '' })).toEqual({ exitCode: 0, output: '8787\n' })
  })

  test('names the required Node version on an older one, in one line', async () => {
    const project = await createScaffold(name)
    const { scripts } = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8'))
    expect(scripts.start).toMatch(/^node --import \.\/check-setup\.js /)
    const older =
      "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.19.2' })"
    const args = scripts.start.split(' ').slice(1)
    expect(project.node(['--import', older, ...args])).toEqual({
      exitCode: 1,
      output: 'This project requires Node 22.18 or later. You are running Node 20.19.2.\n',
    })
  })

  test('is copied into its image with everything that it needs', async () => {
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
    // The server and src/migrate.ts read the migrations and the seed.
    const needed = ['src', 'package.json', 'migrations', 'seed.sql']
    expect(sources).toEqual(expect.arrayContaining(needed))
    expect(lines.join('\n')).toContain('COPY package*.json ./\nRUN npm ci --omit=dev ')
    const ignored = readFileSync(join(folder, '.dockerignore'), 'utf8').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.env', 'node_modules']))
    for (const source of sources) expect(ignored).not.toContain(source)
  })
})

test('the scripts of a project in a workspace find the packages in its root', async () => {
  const project = await createScaffold('node')
  renameSync(join(project.folder, 'node_modules'), join(project.folder, '..', 'node_modules'))
  expect(project.node(['check-setup.js', '.env'])).toEqual({ exitCode: 0, output: '' })
  for (const args of [['run', 'check'], ['test']]) {
    const { exitCode, output } = project.npm(args)
    if (exitCode !== 0) throw new Error(output)
  }
}, 60_000)

test('the server of the template node-postgres requires a database in production', async () => {
  const project = await createScaffold('node-postgres')
  const { exitCode, output } = project.node(['src/server.ts'], { NODE_ENV: 'production' })
  expect([exitCode, output]).toEqual([
    1,
    'Environment variable DATABASE_URL: Required in production\n',
  ])
})

test('the log line of a failed section contains its error and the trace ID that the agent sees', async () => {
  const project = await createScaffold('node')
  const { exitCode, output } = project.node([
    '--input-type=module-typescript',
    '--eval',
    `import { createTestService } from 'sidecard/testing'
     import { createApp } from './src/app.ts'
     import { createCustomers } from './src/customers.ts'
     import { openDatabase } from './src/database.ts'
     const orders = () => Promise.reject(new Error('orders are down'))
     const database = await openDatabase()
     const app = createApp(database, { ...createCustomers(database), orders })
     const headers = { 'x-sidecard-secret': 's' }
     const service = createTestService(app, { env: { SIDECARD_SECRET: 's' }, headers })
     const { text, failures } = await service.openIssue({ account_id: 'acc_koi' })
     console.log(text.includes(failures[0].traceId), failures[0].traceId)`,
  ])
  expect([exitCode, output]).toEqual([0, expect.stringContaining('orders are down')])
  const [, traceId = ''] = /^true (\S+)$/m.exec(output) ?? []
  expect(traceId).toMatch(/^\w{12}$/)
  expect(output.split('\n').find((line) => line.includes('orders are down'))).toContain(traceId)
})
