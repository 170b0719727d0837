import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  findCommandFailure,
  lastLines,
  missingPackagesHint,
  reportsBuildFailure,
} from '../../../src/tools/cli/server/command-failure.ts'
import { findHeadline } from '../../../src/tools/workspace/core/find-headline.ts'
import { cpuMs } from '../../helpers/cpu-ms.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-failure-'))
  mkdirSync(join(folder, 'src'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the output of Node for a program that fails. */
function runSource(source: string): string {
  writeFileSync(join(folder, 'src', 'server.mjs'), source)
  return spawnSync(process.execPath, ['src/server.mjs'], { cwd: folder, encoding: 'utf8' }).stderr
}

test.each([
  ['a syntax error', '\n\nconst x = = 1\n', 3, 'const x = = 1'],
  ['a thrown error', "\nthrow new TypeError('db is down')\n", 2, 'TypeError: db is down'],
  ['a missing export', "\nimport { nope } from 'node:fs'\n", 2, 'nope'],
  [
    'an error with a cause',
    "throw new Error('outer', { cause: new Error('inner') })\n",
    1,
    'Error: outer',
  ],
])('finds file, line and excerpt of %s of Node', (_name, source, line, excerpt) => {
  const failure = findCommandFailure(`starting\nready soon\n${runSource(source)}`, folder)
  expect(failure?.excerpt).toContain(excerpt)
  expect(failure?.excerpt).not.toContain('starting')
  expect(failure?.location).toMatchObject({ file: 'src/server.mjs', line })
})

test('finds the column that Node marks in a separate line', () => {
  const failure = findCommandFailure(runSource('\n  const x = = 1\n'), folder)
  expect(failure?.location).toEqual({ file: 'src/server.mjs', line: 2, column: 13 })
})

test.each(['', 'file://'])('shows the location that Node prints first: %s/…', (scheme) => {
  const file = `${scheme}${join(folder, 'src', 'server.cjs')}`
  writeFileSync(join(folder, 'src', 'server.cjs'), '')
  const stderr = `${file}:2\nthrow new Error('db is down')\n^\n\nError: db is down\n    at x\n`
  const failure = findCommandFailure(`ready\n\n${stderr}`, folder)
  expect(failure?.location).toEqual({ file: 'src/server.cjs', line: 2, column: 1 })
  expect(failure?.excerpt.split('\n').slice(0, 5)).toEqual([
    `${file}:2`,
    "throw new Error('db is down')",
    '^',
    '',
    'Error: db is down',
  ])
})

test.each(['no-such-package', './envv.ts'])('finds the line of Node that imports %s', (name) => {
  const failure = findCommandFailure(runSource(`\n\nimport '${name}'\n`), folder)
  expect(failure?.excerpt).toContain('ERR_MODULE_NOT_FOUND')
  expect(failure?.location).toMatchObject({ file: 'src/server.mjs', line: 3 })
})

test('finds file, line and excerpt of a build error of Wrangler, in color', () => {
  writeFileSync(join(folder, 'src', 'index.ts'), '')
  const output = `⎔ Starting local server...
\u001B[31m✘ \u001B[41;31m[\u001B[41;97mERROR\u001B[41;31m]\u001B[0m \u001B[1mExpected ";" but found "is"\u001B[0m

    src/index.ts:7:5:
\u001B[37m      7 │ this \u001B[32mis\u001B[37m no
        ╵      \u001B[32m~~\u001B[0m

`
  expect(findCommandFailure(output, folder)).toEqual({
    location: { file: 'src/index.ts', line: 7, column: 5 },
    excerpt: expect.stringMatching(/^✘ \[ERROR\] Expected ";" but found "is"[^]*7 │ this is no/),
  })
})

test.each([0, 20])(
  'finds the innermost own line and the message of a Python traceback below %i calls of packages',
  (depth) => {
    const installed = 'venv/site-packages/web.py'
    mkdirSync(join(folder, installed, '..'), { recursive: true })
    for (const file of ['app.py', installed]) writeFileSync(join(folder, file), '')
    const call = (file: string, line: number) => `  File "${file}", line ${line}, in x\n    x()\n`
    const packages = call(installed, 7).repeat(depth)
    const own = call('app.py', 3) + call('app.py', 9)
    const inside = call(installed, 5) + call(import.meta.filename, 1)
    const output = `Traceback (most recent call last):\n${packages}${own}${inside}ValueError: x\n`
    const failure = findCommandFailure(output, folder)
    expect(failure?.location).toMatchObject({ file: 'app.py', line: 9 })
    expect(failure?.excerpt).toMatch(/\nValueError: x$/)
  },
)

test.each([
  [
    'Python',
    'app.py',
    '  File "app.py", line 4\n    def x(\n         ^\nSyntaxError: invalid syntax',
  ],
  ['Ruby', 'app.rb', "app.rb:4:in '<main>': boom (RuntimeError)\n\tfrom app.rb:9:in 'x'"],
  ['Go that compiles', 'main.go', '# command-line-arguments\n./main.go:4:2: undefined: x'],
  ['Go', 'main.go', 'panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t./main.go:4 +0x1d'],
  ['PHP', 'app.php', 'PHP Parse error:  syntax error, unexpected end of file in app.php on line 4'],
  ['PHP that runs', 'app.php', 'Fatal error: Uncaught Exception: boom in app.php:4'],
  ['Elixir', 'lib/app.ex', '** (RuntimeError) boom\n    lib/app.ex:4: App.run/0'],
  [
    'Java',
    'src/main/java/shop/App.java',
    'Exception in thread "main" java.lang.RuntimeException: boom\n\tat shop.App.main(App.java:4)',
  ],
  ['Java that compiles', 'App.java', "App.java:4: error: ';' expected"],
])('finds file and line of an error of %s', (_language, file, output) => {
  mkdirSync(join(folder, file, '..'), { recursive: true })
  writeFileSync(join(folder, file), '')
  const failure = findCommandFailure(`starting\n${output}\n`, folder)
  expect(failure?.location).toMatchObject({ file, line: 4 })
  expect(failure?.excerpt).toContain(output.split('\n').at(-1))
})

test.each([
  [
    '\u001B[31m✘ \u001B[41;31m[\u001B[41;97mERROR\u001B[41;31m]\u001B[0m Build failed with 1 error:',
    true,
  ],
  ['src/app.ts(3,1): error TS2304: Cannot find name', true],
  ['Failed to compile.', true],
  ['✘ [ERROR] Uncaught Error: db down', false],
  ['Error: db down\n    at fetchData (src/app.ts:3:1)', false],
  ['{"level":"error","message":"Build failed to load"}', false],
])('%j is the output of a failed build: %s', (output, expected) => {
  expect(reportsBuildFailure(`starting\n${output}\n`)).toBe(expected)
})

test('ignores files of packages', () => {
  const output = `Error: failed
    at run (/x/node_modules/pkg/index.js:10:3)
    at node:internal/main:1:1
`
  expect(findCommandFailure(output, folder)).toEqual({
    location: undefined,
    excerpt: expect.stringContaining('Error: failed'),
  })
})

test.each([
  '',
  'listening on 8787\n',
  '0 errors\nno error occurred\n',
  'lastError: none\n',
  '    at Error: (src/a.ts:1:1)\n',
  'an error: nothing\nno panic: really\n',
  'xEADDRINUSEx\nterror TS1\n',
])('finds nothing in %j', (output) => {
  expect(findCommandFailure(output, folder)).toBeUndefined()
})

test.each([
  'TypeError: db is down',
  'Error',
  'Uncaught TypeError: db is down',
  'Error [ERR_MODULE_NOT_FOUND]: no module',
  'java.lang.x Exception: db',
  'error: no such command',
  'error[E0308]: mismatched types',
  'fatal: not a repository',
  'panic: nil map',
  'Traceback (most recent call last):',
  'src/a.ts(3,1): error TS2304: Cannot find name',
  'listen EADDRINUSE 127.0.0.1:8787',
  'x [ERROR] y',
])('finds the error %s', (line) => {
  expect(findCommandFailure(`ready\n${line}\n`, folder)).toEqual({
    location: undefined,
    excerpt: line,
  })
})

test.each([
  ['relative', (path: string) => path, 'src/a b.ts'],
  ['absolute', (path: string) => join(folder, path), 'src/app.ts'],
  ['a URL', (path: string) => `file://${join(folder, path)}`, 'src/app.ts'],
])('finds a place whose path is %s', (_name, write, path) => {
  writeFileSync(join(folder, path), '')
  const place = path.includes(' ') ? `"${write(path)}", line 7` : `${write(path)}:7:3`
  const column = path.includes(' ') ? 1 : 3
  expect(findCommandFailure(`Error: x\n    at run (${place})\n`, folder)?.location).toEqual({
    file: path,
    line: 7,
    column,
  })
})

test('a place outside the folder has its whole path', () => {
  const other = mkdtempSync(join(tmpdir(), 'sidecard-other-'))
  onTestFinished(() => rmSync(other, { recursive: true }))
  writeFileSync(join(other, 'lib.js'), '')
  const file = join(other, 'lib.js')
  expect(findCommandFailure(`Error: x\n    at ${file}:7\n`, folder)?.location).toEqual({
    file,
    line: 7,
    column: 1,
  })
})

test('ignores places that are not files, and URLs that are not paths', () => {
  writeFileSync(join(folder, 'app.ts'), '')
  const output = 'Error: x\n  at file:///a%2Fb.js:1:2\n  at gone.ts:3:4\n  at app.ts:5:6\n'
  expect(findCommandFailure(output, folder)?.location).toEqual({
    file: 'app.ts',
    line: 5,
    column: 6,
  })
})

test('shows the last error only, with its cause', () => {
  const first = 'Error: the first\n'
  const quiet = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'
  const last = 'Error: the last\n    at x\n  [cause]: Error: inner'
  expect(findCommandFailure(`${first}${quiet}${last}\n`, folder)?.excerpt).toBe(last)
  const deep = `Error: outer\n${'    at x\n'.repeat(9)}  [cause]: Error: inner`
  expect(findCommandFailure(deep, folder)?.excerpt).toBe(deep)
})

test.each([
  ['** (RuntimeError) boom', '    lib/app.ex:4: App.run/0'],
  ['panic: boom', 'goroutine 1 [running]:'],
  ["app.rb:4:in 'x': boom (NoMethodError)", "from app.rb:9:in 'y'"],
  ['java.lang.NullPointerException', 'at shop.App.main(App.java:4)'],
  ['PHP Parse error:  syntax error', 'in app.php'],
  ['AssertionError', ''],
])('%s is the headline of its output', (headline, after) => {
  const output = `Traceback (most recent call last):\n[ERROR] Build failed\n${headline}\n${after}`
  expect(findHeadline(output)).toBe(headline)
})

test('an excerpt ends at an empty line, or after 14 lines of at most 300 characters', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `  line ${index}`)
  const excerpt = (rest: readonly string[]) =>
    findCommandFailure(['Error: x', ...rest].join('\n'), folder)?.excerpt.split('\n')
  expect(excerpt([...lines(3), '', ...lines(3)])).toEqual([
    'Error: x',
    ...lines(3),
    '',
    ...lines(3),
  ])
  expect(excerpt([...lines(8), '', 'ready'])).toEqual(['Error: x', ...lines(8)])
  expect(excerpt(lines(20))).toEqual(['Error: x', ...lines(13)])
  expect(excerpt(['y'.repeat(400)])?.[1]).toBe('y'.repeat(300))
})

test('bounds the work and the excerpt for any output', () => {
  const output = `Error: ${'x'.repeat(100_000)}\n${'    at /a:1:1\n'.repeat(20_000)}`
  const started = process.cpuUsage()
  expect(findCommandFailure(output, folder)?.excerpt.length).toBeLessThan(5_000)
  expect(cpuMs(started)).toBeLessThan(2_000)
})

test('shows the last lines of an output without a known error', () => {
  const output = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n')
  expect(lastLines(`${output}\n\n`)).toBe(output.split('\n').slice(-8).join('\n'))
  expect(lastLines(`\u001B[31m${'y'.repeat(400)}\r\nz\u001B[0m`)).toBe(`${'y'.repeat(300)}\nz`)
})

test.each([
  ['without package.json', undefined, false],
  ['with an invalid package.json', '{', false],
  ['without packages', '{ "name": "x" }', false],
  ['with packages', '{ "dependencies": { "hono": "4" } }', true],
  ['with packages for development', '{ "devDependencies": {} }', true],
])('mentions a missing node_modules in a folder %s: %s', (_name, manifest, expected) => {
  if (manifest !== undefined) writeFileSync(join(folder, 'package.json'), manifest)
  expect(missingPackagesHint(folder)).toBe(
    expected ? 'The folder has no node_modules. Run npm install first.' : undefined,
  )
  mkdirSync(join(folder, 'node_modules'))
  expect(missingPackagesHint(folder)).toBeUndefined()
})
