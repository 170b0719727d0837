import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listRecipes } from '../../src/cli/add/recipes.ts'
import { cli } from '../helpers/cli.ts'
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
