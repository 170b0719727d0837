import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from 'sidecard/node'
import { describe, expect, test, vi } from 'vitest'
import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { createApp } from '../../templates/_base/src/sidebar.ts'
import { customers, getCustomers } from '../../templates/sample/src/customers.ts'
import '../../templates/sample-node/dev/source.ts'
import { cli } from '../helpers/cli.ts'
import { createScaffold, type Scaffold } from '../helpers/scaffold.ts'

const wrangler = fileURLToPath(
  new URL('../../node_modules/wrangler/bin/wrangler.js', import.meta.url),
)

// The app logs rejected requests, which the checker sends on purpose.
vi.spyOn(console, 'warn').mockReturnValue()

/** A program that a README runs, with the relevant parts of its input. */
interface Call {
  readonly program: string
  readonly args: readonly string[]
  readonly secret: string
  readonly stdin: string
}

/**
 * Runs the shell blocks of the project's README in a shell, in order. Programs
 * that need a network, an account or Docker are replaced by one that records its
 * calls.
 */
function followReadme({ folder }: Scaffold): readonly Call[] {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const bin = join(folder, '.bin')
  const log = join(folder, '.calls')
  mkdirSync(bin)
  for (const program of ['npm', 'npx', 'docker']) {
    const record = `#!/usr/bin/env node
      const { appendFileSync, fstatSync, readFileSync } = process.getBuiltinModule('node:fs')
      const stdin = fstatSync(0).isFIFO() ? readFileSync(0, 'utf8') : ''
      const secret = process.env.SIDECARD_SECRET ?? ''
      const call = { program: '${program}', args: process.argv.slice(2), secret, stdin }
      appendFileSync(${JSON.stringify(log)}, JSON.stringify(call) + '\\n')\n`
    writeFileSync(join(bin, program), record)
    chmodSync(join(bin, program), 0o755)
  }
  // All blocks run in one shell, because the README reuses variables.
  const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', blocks.join('\n')], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: `${bin}:${process.env['PATH']}`, HOME: folder },
  })
  if (status !== 0) throw new Error(stderr)
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Call)
}

const findCalls = (calls: readonly Call[], program: string, ...first: readonly string[]) =>
  calls.filter(
    (call) => call.program === program && first.every((arg, index) => call.args[index] === arg),
  )

describe.each(TEMPLATES)('the README of the template $name', ({ name, host }) => {
  test('can be followed literally', async () => {
    const project = await createScaffold(name)
    // The state of a fresh clone.
    rmSync(join(project.folder, host.secretsFile))
    const calls = followReadme(project)

    const { scripts } = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8'))
    const used = findCalls(calls, 'npm', 'run').map(({ args }) => args[1] ?? '')
    expect(used).toEqual(expect.arrayContaining(['dev', 'check', 'deploy']))
    for (const script of used) expect(scripts).toHaveProperty(script)
    expect(findCalls(calls, 'npm', 'install')).toHaveLength(1)
    expect(findCalls(calls, 'npm', 'test')).toHaveLength(1)

    const [check] = findCalls(calls, 'npx', 'sidecard', 'check')
    expect(check?.secret).toMatch(/^[\da-f]{64}$/)
  })
})

const getName = ({ name }: (typeof TEMPLATES)[number]) => name

test.each(TEMPLATES.map(getName).filter((name) => name.startsWith('workers')))(
  'the README of the template %s stores the secret that its check sends',
  async (name) => {
    const calls = followReadme(await createScaffold(name))
    const [check] = findCalls(calls, 'npx', 'sidecard', 'check')
    expect(findCalls(calls, 'npx', 'wrangler', 'secret', 'put')).toMatchObject([
      { args: ['wrangler', 'secret', 'put', 'SIDECARD_SECRET'], stdin: check?.secret },
    ])
  },
)

test.each(TEMPLATES.map(getName).filter((name) => name.startsWith('node')))(
  'the README of the template %s runs the image that it builds, with the secret that its check sends',
  async (name) => {
    const { folder, ...project } = await createScaffold(name)
    const calls = followReadme({ folder, ...project })
    const [check] = findCalls(calls, 'npx', 'sidecard', 'check')
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const runs = findCalls(calls, 'docker', 'run')
    const server = runs.at(-1)
    expect(server).toMatchObject({ secret: check?.secret })
    expect(server?.args).toEqual(expect.arrayContaining(['SIDECARD_SECRET', '8787:8787']))
    expect(scripts.deploy).toBe(`docker build --tag ${server?.args.at(-1)} .`)
    const entries = runs.flatMap(({ args }) => args.filter((arg) => arg.startsWith('src/')))
    expect(entries.filter((entry) => !existsSync(join(folder, entry)))).toEqual([])
  },
)

test.each(['node', 'workers'])(
  'the README of the template %s checks production with the production secret',
  async (name) => {
    const project = await createScaffold(name)
    const [check] = findCalls(followReadme(project), 'npx', 'sidecard', 'check')
    if (check === undefined) throw new Error('The README has no check of production.')
    expect(customers).not.toEqual([])
    const env = { SIDECARD_SECRET: check.secret, API_URL: 'https://api.example.com' }
    await using server = await serve(createApp(getCustomers), {
      port: 0,
      env,
      handleSignals: false,
    })
    const args = check.args.slice(1).map((arg) => (arg.startsWith('https://') ? server.url : arg))
    // The folder has another secret, for development, which must not be used.
    const { stdout } = await cli(args, { env, cwd: project.folder })
    expect(stdout).toContain('The endpoint conforms to the contract.')
    const wrong = await cli(args, { cwd: project.folder })
    expect(wrong.exitCode).toBe(1)
  },
  60_000,
)

test('the READMEs use commands that wrangler has', async () => {
  const commands = new Set<string>()
  for (const { name } of TEMPLATES.filter(({ host }) => host.name === 'workers')) {
    // oxlint-disable-next-line no-await-in-loop -- three short scripts
    const calls = followReadme(await createScaffold(name))
    for (const { args } of findCalls(calls, 'npx', 'wrangler')) {
      const words = args.slice(1).filter((arg) => /^[a-z][a-z\d]*$/.test(arg) && arg !== 'app')
      commands.add(words.join(' '))
    }
  }
  expect([...commands]).toEqual(expect.arrayContaining(['login', 'secret put', 'd1 create']))
  for (const command of commands) {
    const args = [wrangler, ...command.split(' '), '--help']
    const { stdout, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    })
    expect([status, stdout]).toEqual([0, expect.stringContaining(`wrangler ${command}`)])
  }
}, 60_000)
