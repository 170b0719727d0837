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
import { PLAIN } from '../../src/check/reporters/palette.ts'
import { runAddCommand } from '../../src/cli/commands/add.ts'
import { listRecipes } from '../../src/cli/add/recipes.ts'
import { cli } from '../helpers/cli.ts'
import { failingAt, interruptedAt } from '../helpers/failing-fs.ts'
import { createScaffold } from '../helpers/scaffold.ts'

const recipes = await listRecipes()

/** Every file below a folder and its content, without the packages. */
function readFolder(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-add-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('lists every recipe with one sentence', async () => {
  const { exitCode, stdout } = await cli(['add'], { cwd: emptyFolder() })
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
        'sidecard add: Cannot write the recipe (the disk is full). No files were left behind.\n',
      ])
      expect(readFolder(folder)).toEqual(before)
    }
    expect(whole.calls()).toBeGreaterThan(10)
    expect(readdirSync(folder).filter((name) => name.startsWith('.sidecard'))).toEqual([])
  })

  test('changes nothing if it is interrupted at any step', async () => {
    const { folder } = await createScaffold('node')
    const before = readFolder(folder)
    const steps = failingAt(0)
    const listeners = process.listenerCount('SIGINT')
    for (let step = 1; step <= 14; step += 1) {
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
    expect(await runAddCommand(ARGS, commandIn(folder), steps.fs)).toBe(0)
  })

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
    expect(JSON.parse(readFileSync(manifest, 'utf8').slice(1)).dependencies).toHaveProperty(
      'cockatiel',
    )
  })

  test('keeps the version of an installed package', async () => {
    const { folder, cli } = await createScaffold('node')
    const path = join(folder, 'package.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8'))
    manifest.dependencies.zod = '4.6.0'
    writeFileSync(path, JSON.stringify(manifest, undefined, '\t'))
    const { stdout } = await cli('add', 'http-source', '--no-install')
    expect(stdout).toContain('New packages: cockatiel\n')
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
    const { exitCode, stderr } = await cli(['add', ...args], { cwd: folder })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)])
    expect(readdirSync(folder)).toEqual(Object.keys(files))
  })
})
