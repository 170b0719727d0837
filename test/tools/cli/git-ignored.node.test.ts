import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGitIgnored } from '../../../src/tools/cli/dev/watch/git-ignored.ts'

const PATHS = [
  'app.ts',
  'src/app.ts',
  'src/app.log',
  'src/deep/er/app.ts',
  'dist/index.js',
  'src/dist/index.js',
  'build/out.js',
  'src/build/out.js',
  'data/state.json',
  'data/keep/state.json',
  'logs/a.log',
  'logs/b/c.log',
  '.env',
  '.env.example',
  'a b.txt',
  'file1.ts',
  'file2.ts',
  'filex.ts',
  '#hash',
  '!bang',
  'foo/bar/baz',
  'x.SQLITE',
  'a.c+d(e).ts',
  'x^.ts',
  'x].ts',
  'x[.ts',
  '*.md',
  'read.md',
  '\\.ts',
]

const FILES = [
  'node_modules/\n.env\n*.sqlite\n*.sqlite-*\n',
  '*.log\n!src/app.log\n',
  '/dist\nbuild/\n',
  'dist/\n',
  'data/*\n!data/keep\n',
  'data/\n!data/keep/state.json\n',
  '**/deep\n',
  'foo/**\n',
  'foo/**/baz\n',
  'logs/**/*.log\n',
  'file[0-9].ts\n',
  'file[!0-9].ts\n',
  'file?.ts\n',
  '\\#hash\n\\!bang\n# a comment\n\n',
  'a\\ b.txt   \n',
  'src/*.ts\n',
  'src/**/*.ts\r\n',
  '*\n!*.ts\n!*/\n',
  'a.c+d(e).ts\n',
  '/\n//\n!\n',
  '.env*\n!.env.example\n',
  'x[a^].ts\n',
  'x[]^].ts\n',
  'x[[].ts\n',
  'file[^1].ts\n',
  '\\*.md\n',
  'logs/**\n',
  '**/logs/*.log\n',
  '  app.ts\n',
  'app.ts \\ \n',
]

function createRepository(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-ignore-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** Returns the paths that git itself ignores, independent of the machine's `core.excludesFile`. */
function ignoredByGit(folder: string): readonly string[] {
  const args = ['-c', 'core.excludesFile=', 'check-ignore', '--no-index', '--stdin', '-z']
  try {
    const output = execFileSync('git', args, {
      cwd: folder,
      input: PATHS.join('\0'),
      encoding: 'utf8',
    })
    return output.split('\0').filter(Boolean)
  } catch {
    return []
  }
}

test.each(FILES)('ignores the same files as git for %j', (content) => {
  const folder = createRepository({
    ...Object.fromEntries(PATHS.map((path) => [path, ''])),
    '.gitignore': content,
  })
  expect(PATHS.filter(createGitIgnored(folder).test)).toEqual(ignoredByGit(folder))
})

test('a .gitignore in a subfolder applies there, and overrides its parent', () => {
  const folder = createRepository({
    ...Object.fromEntries(PATHS.map((path) => [path, ''])),
    '.gitignore': '*.json\n',
    'data/.gitignore': '!state.json\n/keep\n',
    'src/.gitignore': 'app.ts\n',
    'logs/.gitignore': '*\n!a.log\n',
  })
  const ignored = PATHS.filter(createGitIgnored(folder).test)
  expect(ignored).toEqual(ignoredByGit(folder))
  expect(ignored).toEqual([
    'src/app.ts',
    'src/deep/er/app.ts',
    'data/keep/state.json',
    'logs/b/c.log',
  ])
})

test('a changed .gitignore applies after a refresh', () => {
  const folder = createRepository({ '.gitignore': '' })
  const ignored = createGitIgnored(folder)
  expect(ignored.test('state.json')).toBe(false)
  writeFileSync(join(folder, '.gitignore'), 'state.json\n')
  ignored.refresh()
  expect(ignored.test('state.json')).toBe(true)
})

test('a project inside a repository follows the .gitignore files of its parents', () => {
  const folder = createRepository({
    '.gitignore': 'out/\n/apps/*/local.ts\n*.gen.ts\n',
    'apps/.gitignore': '!keep.gen.ts\n',
    'apps/billing/app.ts': '',
  })
  const { test: isIgnored } = createGitIgnored(join(folder, 'apps', 'billing'))
  const paths = [
    'app.ts',
    'out/',
    'out/x.ts',
    'local.ts',
    'src/local.ts',
    'a.gen.ts',
    'keep.gen.ts',
  ]
  expect(paths.filter(isIgnored)).toEqual(['out/', 'out/x.ts', 'local.ts', 'a.gen.ts'])
})

test('a pattern for folders does not match a file of the same name', () => {
  const folder = createRepository({ '.gitignore': 'data/\n' })
  const { test: isIgnored } = createGitIgnored(folder)
  expect([isIgnored('data'), isIgnored('data/')]).toEqual([false, true])
})

test('without a repository, the .gitignore files of the folder apply', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-ignore-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, '.gitignore'), 'state.json\n')
  expect(createGitIgnored(folder).test('state.json')).toBe(true)
  expect(createGitIgnored(join(folder, 'sub')).test('state.json')).toBe(false)
})
