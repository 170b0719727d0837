import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLAIN } from '../../../src/tools/internal/palette.ts'
import { run as runNewCommand } from '../../../src/tools/cli/commands/new.ts'
import type { ProjectFs } from '../../../src/tools/cli/new/write-files.ts'
import { cli } from '../../helpers/cli.ts'
import { failingAt } from '../../helpers/failing-fs.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-new-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const make = (...args: readonly string[]) =>
  cli(['new', '--no-install', '--no-git', ...args], { cwd: folder })

const written = () => readdirSync(folder, { recursive: true })

const HOSTILE = [
  '',
  ' ',
  '.',
  '..',
  '...',
  '/',
  '\\',
  './x',
  '../x',
  '../../etc/passwd',
  '/tmp/x',
  'a/b',
  'a\\b',
  'C:\\x',
  '~',
  '~/x',
  '-',
  '--',
  '-x',
  '--x',
  'x-',
  '_x',
  '.x',
  'x.',
  'a..b',
  'A',
  'BillingCard',
  'my app',
  ' x',
  'x ',
  'x\n',
  'x\0y',
  'x\ty',
  '\u202Ex',
  'naïve',
  '鯉',
  '🦊',
  '%2e%2e',
  '$(touch x)',
  '`id`',
  'x;rm -rf y',
  'x|y',
  'x&y',
  'x>y',
  '"x"',
  "'x'",
  '*',
  '?',
  '@scope/x',
  'x@1',
  'con',
  'nul',
  'com1',
  'fs',
  'http',
  'node_modules',
  'sidecard',
  'hono',
  'constructor:',
  '__proto__',
  'x'.repeat(64),
  'x'.repeat(5_000),
  '${HOME}',
  'a:b',
]

describe('a hostile name', () => {
  test.each(HOSTILE)('%j is rejected in one line, and nothing is written', async (name) => {
    const { exitCode, stdout, stderr } = await make('--', name)
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trim().split('\n').length).toBe(1)
    expect(stderr).toMatch(/^sidecard new: \S/)
    // oxlint-disable-next-line no-control-regex -- control characters must not reach a terminal
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/)
    expect(written()).toEqual([])
  })
})

test.each(['a', 'x1', 'billing-card', 'my_app', '2026-sidebar', 'x'.repeat(63)])(
  'a valid name, such as %s, becomes the folder',
  async (name) => {
    const { exitCode, stdout } = await make(name)
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`cd ${name}`)
    expect(readdirSync(folder)).toEqual([name])
  },
)

test('the defaults are Workers and an HTTP API', async () => {
  expect((await make('x', '--json')).stdout).toMatch(/"template": "workers",\s+"data": "http"/)
})

test('without --template, the first host that has the data source is used', async () => {
  const { stdout } = await make('x', '--data', 'postgres', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ template: 'node', data: 'postgres' })
})

describe('the package manager', () => {
  const text = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8')

  test.each([
    ['pnpm', 'pnpm install --frozen-lockfile', 'pnpm test'],
    ['yarn', 'yarn install --frozen-lockfile', 'yarn test'],
    ['bun', 'bun install --frozen-lockfile', 'bun run test'],
  ])('%s is used by the whole project', async (pm, install, testing) => {
    const { exitCode, stdout } = await make(
      'x',
      '--template',
      'workers',
      '--data',
      'd1',
      '--pm',
      pm,
    )
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`  ${testing} `)
    expect(text('x', '.github/workflows/ci.yml')).toContain(`      - run: ${install}\n`)
    expect(text('x', 'README.md')).toContain(`${pm} run dev`)
    expect(JSON.parse(text('x', 'package.json')).scripts.dev).toMatch(`${pm} run seed && `)
    expect(JSON.parse(text('x', 'sidecard.json')).apps.x.command).toBe(`${pm} run server`)
    const files = ['package.json', 'README.md', 'AGENTS.md', 'sidecard.json']
    for (const file of [...files, '.github/workflows/ci.yml']) {
      expect([file, text('x', file)]).toEqual([
        file,
        expect.not.stringMatching(/(?<!p)npm (?:ci|run|test|install)|cache: npm/),
      ])
    }
  })

  test.each([
    [
      'pnpm',
      /COPY package\.json pnpm-\*\.yaml \.\/\nRUN pnpm install --prod --no-optional --frozen-lockfile\n/,
    ],
    [
      'yarn',
      /COPY package\.json yarn\.lock \.\/\nRUN yarn install --production --ignore-optional --frozen-lockfile\n/,
    ],
    [
      'bun',
      /COPY package\.json bun\.lock \.\/\nRUN bun install --production --omit=optional --frozen-lockfile\n/,
    ],
  ])('%s installs in the Dockerfile, from its lock file', async (pm, install) => {
    for (const data of ['http', 'sqlite']) {
      // oxlint-disable-next-line no-await-in-loop -- two templates
      await make(`x-${data}`, '--template', 'node', '--data', data, '--pm', pm)
      expect(text(`x-${data}`, 'Dockerfile')).toMatch(install)
      expect(text(`x-${data}`, 'Dockerfile')).not.toMatch(/npm (?:ci|install) --omit|package\*/)
    }
  })

  test('npm uses the workflow of the template unchanged', async () => {
    await make('x', '--pm', 'npm')
    const path = '../../../templates/_base/.github/workflows/ci.yml'
    expect(text('x', '.github/workflows/ci.yml')).toBe(
      readFileSync(new URL(path, import.meta.url), 'utf8'),
    )
  })

  test('pnpm gets the list of packages that may run install scripts, if there are any', async () => {
    await make('worker', '--template', 'workers', '--pm', 'pnpm')
    await make('server', '--template', 'node', '--pm', 'pnpm')
    expect(text('worker', 'pnpm-workspace.yaml')).toBe(
      'allowBuilds:\n  esbuild: true\n  workerd: true\n',
    )
    expect(readdirSync(join(folder, 'server'))).not.toContain('pnpm-workspace.yaml')
  })
})

test('another version of sidecard is written to package.json unchanged', async () => {
  const spec = 'file:../a "quoted" $& path.tgz'
  expect((await make('x', '--sidecard', spec)).exitCode).toBe(0)
  const manifest = JSON.parse(readFileSync(join(folder, 'x', 'package.json'), 'utf8'))
  expect(manifest.dependencies.sidecard).toBe(spec)
})

test('writes a version of sidecard unchanged, with any characters', async () => {
  const spec = 'file:C:\\"it"\\sidecard.tgz'
  await make('x', '--sidecard', spec)
  const manifest = JSON.parse(readFileSync(join(folder, 'x', 'package.json'), 'utf8'))
  expect(manifest.dependencies.sidecard).toBe(spec)
})

describe('a target that is not free is rejected and left unchanged:', () => {
  test('a folder that is not empty', async () => {
    mkdirSync(join(folder, 'taken'))
    writeFileSync(join(folder, 'taken', 'precious.txt'), 'x')
    expect((await make('taken')).exitCode).toBe(2)
    expect(written()).toEqual(['taken', join('taken', 'precious.txt')])
  })

  test('a clone with files, whose .git must stay', async () => {
    mkdirSync(join(folder, 'taken', '.git'), { recursive: true })
    writeFileSync(join(folder, 'taken', 'precious.txt'), 'x')
    const { exitCode, stderr } = await make('taken')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('except for .git.')])
    expect(readdirSync(join(folder, 'taken')).toSorted()).toEqual(['.git', 'precious.txt'])
  })

  test('a file', async () => {
    writeFileSync(join(folder, 'taken'), 'x')
    expect((await make('taken')).stderr).toContain('is a file')
    expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe('x')
  })

  test.each(['to a folder', 'to nothing'])('a symbolic link %s', async (where) => {
    const elsewhere = join(folder, 'elsewhere')
    if (where === 'to a folder') mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(folder, 'taken'))
    const { exitCode, stderr } = await make('taken')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('symbolic link')])
    expect(lstatSync(join(folder, 'taken')).isSymbolicLink()).toBe(true)
    expect(written().filter((path) => !['taken', 'elsewhere'].includes(String(path)))).toEqual([])
  })
})

test('accepts an empty folder', async () => {
  mkdirSync(join(folder, 'empty'))
  expect((await make('empty')).exitCode).toBe(0)
  expect(readdirSync(join(folder, 'empty'))).toContain('package.json')
})

describe('invalid usage writes nothing:', () => {
  test.each([
    ['an unknown template', ['x', '--template', 'worker'], 'Did you mean workers?'],
    ['a template far from any', ['x', '--template', 'php'], 'workers, node'],
    ['an unknown data source', ['x', '--data', 'postgre'], 'Did you mean postgres?'],
    [
      'a data source that the host does not have',
      ['x', '--template', 'workers', '--data', 'sqlite'],
      'The template workers has no data source sqlite. Use one of: http, d1, sample.',
    ],
    [
      'an unknown package manager',
      ['x', '--pm', 'maven'],
      "--pm must be 'npm', 'pnpm', 'yarn' or 'bun'.",
    ],
    ['an unknown option', ['x', '--templat', 'node'], '--template'],
    ['no name and no terminal', [], 'Pass a name'],
    ['no name with --yes', ['--yes'], 'Pass a name'],
  ])('%s', async (_name, args, says) => {
    const { exitCode, stderr } = await make(...args)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)])
    expect(written()).toEqual([])
  })
})

describe('a failure while writing', () => {
  const real: ProjectFs = { mkdir, writeFile, rename, rm }
  const io = () => {
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

  test('leaves no files behind at any step', async () => {
    const whole = failingAt(0)
    expect(await runNewCommand(['x', '--no-install', '--no-git'], io(), whole.fs)).toBe(0)
    rmSync(join(folder, 'x'), { recursive: true })
    for (let n = 1; n <= whole.calls(); n += 1) {
      const terminal = io()
      // oxlint-disable-next-line no-await-in-loop -- each failure starts with the same empty folder
      const exitCode = await runNewCommand(
        ['x', '--no-install', '--no-git'],
        terminal,
        failingAt(n).fs,
      )
      expect([n, exitCode, written()]).toEqual([n, 1, []])
      expect(terminal.said()).toContain('the disk is full')
    }
    expect(whole.calls()).toBeGreaterThan(20)
  })

  test('an interruption at any write leaves no files behind', async () => {
    const interruptAt = (n: number): ProjectFs => {
      let writes = 0
      return {
        ...real,
        async writeFile(...args) {
          await real.writeFile(...args)
          writes += 1
          if (writes === n) process.emit('SIGINT')
        },
      }
    }
    const listeners = process.listenerCount('SIGINT')
    for (let n = 1; n <= 10; n += 1) {
      const terminal = io()
      // oxlint-disable-next-line no-await-in-loop -- each starts with the same empty folder
      const exitCode = await runNewCommand(
        ['x', '--no-install', '--no-git'],
        terminal,
        interruptAt(n),
      )
      expect([n, exitCode, written()]).toEqual([n, 130, []])
      expect(terminal.said()).toContain('Interrupted. No files were left behind.')
    }
    expect(process.listenerCount('SIGINT')).toBe(listeners)
  })

  test('names the folder that cannot be removed', async () => {
    const terminal = io()
    const fs: ProjectFs = { ...failingAt(5).fs, rm: () => Promise.reject(new Error('busy')) }
    expect(await runNewCommand(['x', '--no-install', '--no-git'], terminal, fs)).toBe(1)
    const [left] = readdirSync(folder)
    expect(terminal.said()).toContain(`Remove the folder ${left} by hand.`)
  })

  test('keeps a folder that was created in the meantime', async () => {
    const fs: ProjectFs = {
      ...real,
      async rename(from, to) {
        mkdirSync(to)
        writeFileSync(join(to, 'theirs.txt'), 'x')
        await real.rename(from, to)
      },
    }
    expect(await runNewCommand(['x', '--no-install', '--no-git'], io(), fs)).toBe(1)
    expect(written()).toEqual(['x', join('x', 'theirs.txt')])
  })
})
