import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PLAIN } from '../../../src/tools/internal/palette.ts'
import { run as runAddCommand } from '../../../src/tools/cli/commands/add.ts'
import { listRecipes } from '../../../src/tools/cli/add/recipes.ts'
import { cli as runCli } from '../../helpers/cli.ts'
import { failingAt, interruptedAt } from '../../helpers/failing-fs.ts'
import { readFolder } from '../../helpers/read-folder.ts'
import { createScaffold } from '../../helpers/scaffold.ts'

const recipes = await listRecipes()

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-add-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('lists every recipe with one sentence', async () => {
  const { exitCode, stdout } = await runCli(['add'], { cwd: emptyFolder() })
  expect(exitCode).toBe(0)
  const lines = stdout.trim().split('\n')
  expect(lines).toHaveLength(recipes.length)
  for (const [index, { name, description }] of recipes.entries()) {
    expect(lines[index]).toMatch(new RegExp(`^${name} +\\S`))
    expect(lines[index]).toContain(description)
    expect(description).toMatch(/^[A-Z].*\.$/)
  }
})

describe('sidecard add', () => {
  test('rejects an existing file without changing the project', async () => {
    const { folder, cli } = await createScaffold('workers')
    writeFileSync(join(folder, 'src', 'http-source.ts'), 'mine')
    const before = readFolder(folder)
    const { exitCode, stderr } = await cli('add', 'http-source', '--no-install')
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('src/http-source.ts already exists'),
    ])
    expect(readFolder(folder)).toEqual(before)
  })

  test('does not add a recipe twice', async () => {
    const { folder, cli } = await createScaffold('workers-d1')
    await cli('add', 'accounts', '--no-install')
    const before = readFolder(folder)
    const { exitCode, stdout } = await cli('add', 'accounts', '--no-install')
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('already contains accounts')])
    const { stdout: json } = await cli('add', 'accounts', '--json')
    expect(JSON.parse(json)).toMatchObject({ files: [], edited: [], next: [] })
    expect(JSON.parse(json).present).toContain('src/accounts.ts')
    expect(readFolder(folder)).toEqual(before)
  })

  test.each([
    [
      'a D1 database of the app',
      '{ "d1_databases": [\n // x\n { "binding": "DB" }] }',
      'workers-d1',
    ],
    ['both', '{ "d1_databases": [{ "binding": "CLAIMS" }, { "binding": "DB" }] }', 'workers-d1'],
    [
      'receipts only',
      '{ "d1_databases": [{ "binding": "RECEIPTS" }], "x": { "binding": "KV" } }',
      'workers',
    ],
  ])('detects the template from the databases: %s', async (_what, config, template) => {
    const { folder, cli } = await createScaffold('workers')
    writeFileSync(join(folder, 'wrangler.jsonc'), config)
    const { stdout } = await cli('add', 'http-source', '--no-install', '--json')
    expect(JSON.parse(stdout).template).toBe(template)
  })

  test('does not write through a dangling link', async () => {
    const { folder, cli } = await createScaffold('workers')
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'src', 'http-source.ts'))
    expect((await cli('add', 'http-source', '--no-install')).exitCode).toBe(2)
  })

  test('reverts all changes if writing fails', async () => {
    const { folder, cli } = await createScaffold('node')
    // There is a file where the recipe needs a folder.
    writeFileSync(join(folder, 'test', 'fixtures'), 'mine')
    const before = readFolder(folder)
    const { exitCode, stderr } = await cli('add', 'http-source', '--no-install')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('No files were left behind.')])
    expect(readFolder(folder)).toEqual(before)
  })

  const commandIn = (folder: string) => {
    let stderr = ''
    return {
      stdin: (async function* () {})(),
      stdout: { write: () => true },
      stderr: { write: (text: string) => void (stderr += text) },
      env: {},
      cwd: folder,
      palette: PLAIN,
      color: false,
      said: () => stderr,
    }
  }
  const ARGS = ['http-source', '--no-install']

  test('changes nothing if the disk is full at any step', async () => {
    const whole = failingAt(0)
    const copy = await createScaffold('node')
    expect(await runAddCommand(ARGS, commandIn(copy.folder), whole.fs)).toBe(0)
    const { folder } = await createScaffold('node')
    const before = readFolder(folder)
    for (let step = 1; step <= whole.calls(); step += 1) {
      const io = commandIn(folder)
      // oxlint-disable-next-line no-await-in-loop -- each failure starts with the same project
      const exitCode = await runAddCommand(ARGS, io, failingAt(step).fs)
      expect([step, exitCode, io.said()]).toEqual([
        step,
        1,
        'sidecard add: Cannot write the files (the disk is full). No files were left behind.\n',
      ])
      expect(readFolder(folder)).toEqual(before)
    }
    expect(whole.calls()).toBeGreaterThan(10)
    expect(readdirSync(folder).filter((name) => name.startsWith('.sidecard'))).toEqual([])
  }, 120_000)

  test('changes nothing if it is interrupted at any step', async () => {
    const steps = failingAt(0)
    const copy = await createScaffold('node')
    expect(await runAddCommand(ARGS, commandIn(copy.folder), steps.fs)).toBe(0)
    expect(steps.calls()).toBeGreaterThan(30)
    const { folder } = await createScaffold('node')
    const before = readFolder(folder)
    const listeners = process.listenerCount('SIGINT')
    for (let step = 1; step <= steps.calls(); step += 2) {
      const io = commandIn(folder)
      // oxlint-disable-next-line no-await-in-loop -- each starts with the same project
      const exitCode = await runAddCommand(ARGS, io, interruptedAt(step))
      expect([step, exitCode, io.said()]).toEqual([
        step,
        130,
        'sidecard add: Interrupted. No files were left behind.\n',
      ])
      expect(readFolder(folder)).toEqual(before)
    }
    expect(process.listenerCount('SIGINT')).toBe(listeners)
    expect(await runAddCommand(ARGS, commandIn(folder))).toBe(0)
  }, 120_000)

  test('keeps the line endings, the byte order mark and the permissions of edited files', async () => {
    const { folder, cli } = await createScaffold('node')
    const [manifest, readme] = [join(folder, 'package.json'), join(folder, 'README.md')]
    const toWindows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`
    writeFileSync(manifest, toWindows(readFileSync(manifest, 'utf8')))
    writeFileSync(readme, toWindows('# app\n\n## Recipes\n\n- another\n\n## Deploy\n\nNow.\n'))
    chmodSync(manifest, 0o600)
    expect((await cli('add', ...ARGS)).exitCode).toBe(0)
    for (const path of [manifest, readme]) {
      const text = readFileSync(path, 'utf8')
      expect(text).toMatch(/^\uFEFF[^]*\r\n$/)
      expect(text.replaceAll('\r\n', '')).not.toContain('\n')
    }
    expect(readFileSync(readme, 'utf8').match(/## Recipes/g)).toHaveLength(1)
    expect(statSync(manifest).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(manifest, 'utf8').slice(1)).dependencies).toHaveProperty('ky')
  })

  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(path, change(readFileSync(path, 'utf8')))

  test.each(['node', 'workers'])(
    'prints what to do if the files of the variables differ from the template %s',
    async (template) => {
      const { folder, cli } = await createScaffold(template)
      const secrets = template === 'node' ? '.env' : '.dev.vars'
      edit(join(folder, 'src/env.ts'), (text) => text.replace(/^ +SIDECARD_SECRET: .*$/m, ''))
      rmSync(join(folder, secrets))
      const schema = readFileSync(join(folder, 'src/env.ts'), 'utf8')
      const { exitCode, stdout } = await cli('add', 'stripe', '--no-install', '--json')
      expect(exitCode).toBe(0)
      const { manual, edited } = JSON.parse(stdout)
      expect(manual).toEqual([
        'src/env.ts differs from the template and was not changed. Add to it: STRIPE_API_KEY: an optional string.',
        `${secrets} does not exist. Create it with: STRIPE_API_KEY=.`,
      ])
      expect(edited).toEqual(['package.json', 'README.md'])
      expect(readFileSync(join(folder, 'src/env.ts'), 'utf8')).toBe(schema)
      expect(readdirSync(folder)).not.toContain(secrets)
    },
  )

  test.each([
    ['another library', (text: string) => text.replace("'zod/mini'", "'valibot'")],
    ['two schemas', (text: string) => `${text}\n  SIDECARD_SECRET: z.string(),\n`],
    ['one line', (text: string) => text.replace(/,\n +API_TOKEN/, ', API_TOKEN')],
    ['nothing', () => ''],
  ])('does not change a schema that has %s, and says so', async (name, change) => {
    const { folder, cli } = await createScaffold('node')
    const path = join(folder, 'src/env.ts')
    const isUsual = name === 'one line'
    edit(path, change)
    const before = readFileSync(path, 'utf8')
    const { stdout } = await cli('add', 'stripe', '--no-install')
    expect(stdout.includes('Not done:\n  - src/env.ts differs')).toBe(!isUsual)
    expect(readFileSync(path, 'utf8') === before).toBe(!isUsual)
  })

  test('leaves a variable that is already there, with its value', async () => {
    const { folder, cli } = await createScaffold('node')
    edit(join(folder, '.env'), (text) => `${text}STRIPE_API_KEY=rk_mine`)
    edit(join(folder, 'src/env.ts'), (text) =>
      text.replace('  SIDECARD_SECRET', '  STRIPE_API_KEY: z.string(),\n  SIDECARD_SECRET'),
    )
    const { stdout } = await cli('add', 'stripe', '--no-install', '--json')
    const { edited, manual } = JSON.parse(stdout)
    expect(manual).toEqual([])
    expect(edited).toEqual(['package.json', 'README.md'])
    expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(/STRIPE_API_KEY=rk_mine$/)
    expect(stdout).not.toContain('rk_mine')
  })

  test('keeps the line endings and the permissions of the files with variables', async () => {
    const { folder, cli } = await createScaffold('workers')
    const paths = ['src/env.ts', '.dev.vars']
    for (const path of paths) edit(join(folder, path), (text) => text.replaceAll('\n', '\r\n'))
    await cli('add', 'recent-errors', '--no-install')
    for (const path of paths) {
      const text = readFileSync(join(folder, path), 'utf8')
      expect(text.match(/ERRORS_\w+[:=]/g)).toHaveLength(3)
      expect(text.replaceAll('\r\n', '')).not.toContain('\n')
    }
    expect(statSync(join(folder, '.dev.vars')).mode & 0o777).toBe(0o600)
  })

  test('adds tables as the next migration, and data to seed.sql', async () => {
    const { folder, cli } = await createScaffold('workers-d1')
    writeFileSync(join(folder, 'migrations/0007_mine.sql'), 'SELECT 1;\n')
    rmSync(join(folder, 'dev/seed.sql'))
    const { stdout } = await cli('add', 'accounts', '--no-install', '--json')
    const { files, manual } = JSON.parse(stdout)
    expect(files).toContain('migrations/0008_accounts.sql')
    expect(manual).toEqual([
      'dev/seed.sql does not exist. Create it with: the statements of node_modules/sidecard/recipes/accounts/sql/seed.sql.',
    ])
    const { folder: other, cli: inOther } = await createScaffold('node-sqlite')
    await inOther('add', 'accounts', '--no-install')
    const seed = readFileSync(join(other, 'dev/seed.sql'), 'utf8')
    expect(seed.match(/INSERT INTO (\w+)/g)).toHaveLength(5)
  })

  test('does not append to a statement that has no end', async () => {
    const { folder, cli } = await createScaffold('node-sqlite')
    edit(join(folder, 'dev/seed.sql'), (text) => `${text}SELECT 1 -- the last;\n`)
    const before = readFileSync(join(folder, 'dev/seed.sql'), 'utf8')
    const { stdout } = await cli('add', 'accounts', '--no-install')
    expect(stdout).toContain(
      'Not done:\n  - dev/seed.sql differs from the template and was not changed. Add to it: the statements of',
    )
    expect(readFileSync(join(folder, 'dev/seed.sql'), 'utf8')).toBe(before)
  })

  test('edits files that another formatter has written', async () => {
    const { folder, cli } = await createScaffold('workers')
    edit(join(folder, 'src/env.ts'), (text) =>
      text
        .replaceAll("'", '"')
        .replaceAll(/^(import .*|\}\)?)$/gm, '$1;')
        .replaceAll('  ', '\t'),
    )
    const { stdout } = await cli('add', 'stripe', '--no-install')
    expect(stdout).not.toContain('Not done')
    expect(readFileSync(join(folder, 'src/env.ts'), 'utf8')).toContain(
      '\n\t/** A restricted key of Stripe. */\n\tSTRIPE_API_KEY: z.optional(z.string()),\n',
    )
  })

  test('rejects a recipe that needs a database in a project without one', async () => {
    const { folder, cli } = await createScaffold('node')
    const before = readFolder(folder)
    const { exitCode, stderr } = await cli('add', 'accounts', '--no-install')
    expect([exitCode, stderr]).toEqual([
      2,
      'sidecard add: The recipe accounts does not support this project (node without a database). It supports: node-sqlite, node-postgres, workers-d1.\n',
    ])
    expect(readFolder(folder)).toEqual(before)
  })

  test('lists the recipes as JSON', async () => {
    const { stdout } = await runCli(['add', '--json'], { cwd: emptyFolder() })
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ name: 'stripe', variables: ['STRIPE_API_KEY'] }),
    )
  })

  test('keeps the version of an installed package', async () => {
    const { folder, cli } = await createScaffold('node')
    const path = join(folder, 'package.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8'))
    manifest.dependencies.zod = '4.6.0'
    writeFileSync(path, JSON.stringify(manifest, undefined, '\t'))
    const { stdout } = await cli('add', 'http-source', '--no-install')
    expect(stdout).toContain('New packages: ky\n')
    expect(JSON.parse(readFileSync(path, 'utf8')).dependencies.zod).toBe('4.6.0')
    expect(readFileSync(path, 'utf8')).toContain('\n\t"name"')
  })

  test('adds its line to the recipes section of the README, before the next heading', async () => {
    const { folder, cli } = await createScaffold('node')
    const path = join(folder, 'README.md')
    writeFileSync(path, '# app\n\n## Recipes\n\n- another\n\n## Deploy\n\nNow.\n')
    await cli('add', 'http-source', '--no-install')
    expect(readFileSync(path, 'utf8')).toMatch(
      /^# app\n\n## Recipes\n\n- another\n- `src\/http-source\.ts`[^\n]*\n\n## Deploy\n\nNow\.\n$/,
    )
  })

  test('works without a README', async () => {
    const { folder, cli } = await createScaffold('node')
    rmSync(join(folder, 'README.md'))
    expect((await cli('add', 'http-source', '--no-install')).exitCode).toBe(0)
    expect(readdirSync(folder)).not.toContain('README.md')
  })

  test.each([
    ['package-lock.json', 'npm install'],
    ['pnpm-lock.yaml', 'pnpm install'],
    ['yarn.lock', 'yarn install'],
    ['bun.lock', 'bun install'],
  ])('names the package manager of %s', async (lock, install) => {
    const { folder, cli } = await createScaffold('node')
    writeFileSync(join(folder, lock), '')
    expect((await cli('add', 'http-source', '--no-install')).stdout).toContain(install)
  })

  test('installs the new packages with the package manager of the project', async () => {
    const { folder, cli: inProject } = await createScaffold('node')
    writeFileSync(join(folder, 'yarn.lock'), '')
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'yarn'), `#!/bin/sh\necho "$@" > ${join(folder, 'called.txt')}\n`)
    chmodSync(join(bin, 'yarn'), 0o755)
    const path = process.env['PATH']
    vi.stubEnv('PATH', `${bin}:${path}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await inProject('add', 'http-source')).exitCode).toBe(0)
    expect(readFileSync(join(folder, 'called.txt'), 'utf8')).toBe('install\n')
  })

  test.each<[string, readonly string[], Record<string, string>, string]>([
    ['an unknown recipe', ['htp-source'], {}, 'Did you mean http-source?'],
    ['a path', ['../../etc'], {}, 'The recipes are'],
    ['a folder without a project', ['http-source'], {}, 'no package.json'],
    ['another project', ['http-source'], { 'package.json': '{}' }, 'no dependency sidecard'],
    ['a broken package.json', ['http-source'], { 'package.json': '{' }, 'not valid JSON'],
    ['an unknown option', ['--force'], {}, '--force'],
  ])('%s is invalid usage', async (_name, args, files, says) => {
    const folder = emptyFolder()
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    const { exitCode, stderr } = await runCli(['add', ...args], { cwd: folder })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)])
    expect(readdirSync(folder)).toEqual(Object.keys(files))
  })
})
