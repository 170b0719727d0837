import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, widget } from './helpers.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-stack-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

/** A source map that maps the first character to line 7, column 9. */
const mapTo = (source: string, mappings = 'AAMQ') =>
  JSON.stringify({ version: 3, sources: [source], names: [], mappings })

/** Opens an issue with an app whose error has this stack, and returns what the workspace shows. */
async function show(
  frames: readonly string[],
  projectDir: string | undefined = join(folder, 'app'),
) {
  const stack = ['TypeError: no account', ...frames].join('\n')
  const error = [{ kind: 'callback_failed', error: { name: 'TypeError', message: 'x', stack } }]
  const headers = {
    'x-sidecard-failure': 'callback_failed',
    'x-sidecard-error': `:${btoa(JSON.stringify(error))}:`,
  }
  const data = () => Response.json(widget('Pro'), { headers })
  const { open } = await connect({ data }, projectDir === '' ? {} : { projectDir })
  const shown = (await open()).failures[0]?.error
  return { frames: shown?.stack?.split('\n').slice(1), location: shown?.location }
}

test.each([
  ['a bundle', (app: string) => `${app}/dist/worker.js`],
  ['a bundle, as a URL', (app: string) => pathToFileURL(`${app}/dist/worker.js`).href],
  ['a bundle, relative to the project', () => 'dist/worker.js'],
])('a frame of %s is shown in its source', async (_name, path) => {
  write('app/dist/worker.js.map', mapTo('../src/index.ts'))
  const file = path(join(folder, 'app'))
  expect(await show([`    at find (${file}:1:1)`, `    at ${file}:1:1`])).toEqual({
    frames: ['    at find (src/index.ts:7:9)', '    at src/index.ts:7:9'],
    location: { file: 'src/index.ts', line: 7, column: 9 },
  })
})

test('a source map may contain the URL of the source', async () => {
  write('app/dist/worker.js.map', mapTo(pathToFileURL(join(folder, 'app/src/index.ts')).href))
  expect((await show(['    at dist/worker.js:1:1'])).location).toEqual({
    file: 'src/index.ts',
    line: 7,
    column: 9,
  })
})

test('a changed source map is read again', async () => {
  const map = join(folder, 'app/dist/worker.js.map')
  write('app/dist/worker.js.map', mapTo('../src/old.ts'))
  const stack = ['    at dist/worker.js:1:1']
  const first = await show(stack)
  write('app/dist/worker.js.map', mapTo('../src/new.ts'))
  utimesSync(map, new Date(), new Date(Date.now() + 5_000))
  const second = await show(stack)
  expect([first.frames, second.frames]).toEqual([
    ['    at src/old.ts:7:9'],
    ['    at src/new.ts:7:9'],
  ])
})

test.each([
  ['is missing', undefined],
  ['is not JSON', '{'],
  ['has nothing at this place', mapTo('../src/index.ts', ';AAMQ')],
])('a frame whose source map %s stays unchanged', async (_name, map) => {
  if (map !== undefined) write('app/dist/worker.js.map', map)
  expect(await show(['    at find (dist/worker.js:1:1)'])).toEqual({
    frames: ['    at find (dist/worker.js:1:1)'],
    location: { file: 'dist/worker.js', line: 1, column: 1 },
  })
})

test('files outside the project are not read, because the endpoint chooses the path', async () => {
  write('other/worker.js.map', mapTo('src/index.ts'))
  write('app-2/worker.js.map', mapTo('src/index.ts'))
  write('..worker.js.map', mapTo('src/index.ts'))
  const outside = ['other/worker.js', 'app-2/worker.js', 'worker.js'].map((path) =>
    join(folder, path),
  )
  expect(await show(outside.map((file) => `    at ${file}:1:1`))).toEqual({
    frames: outside.map((file) => `    at ${file}:1:1`),
    location: { file: outside[0], line: 1, column: 1 },
  })
})

test('the location is the first frame of own code', async () => {
  const foreign = [
    '    at validate (node_modules/sidecard/dist/index.js:10:5)',
    '    at .wrangler/tmp/dev/middleware.js:3:1',
    '    at node:internal/process/task_queues:95:5',
    '    at cloudflare:sockets:1:1',
    '    at async Promise.all (index 0)',
  ]
  const own = '    at async fetchData (src/deep/app.ts:12:34)'
  expect(await show([...foreign, own, '    at src/other.ts:1:1'])).toEqual({
    frames: [...foreign, own, '    at src/other.ts:1:1'],
    location: { file: 'src/deep/app.ts', line: 12, column: 34 },
  })
  expect((await show(foreign)).location).toBeNull()
})

test('the location is not in Sidecard itself', async () => {
  const source = new URL('../../../src/runtime/app/sidecard.ts', import.meta.url).pathname
  expect((await show([`    at ${source}:1:1`, '    at src/a.ts:2:3'])).location).toEqual({
    file: 'src/a.ts',
    line: 2,
    column: 3,
  })
})

test('without a project, frames stay unchanged', async () => {
  write('app/dist/worker.js.map', mapTo('../src/index.ts'))
  const file = join(folder, 'app/dist/worker.js')
  expect(await show([`    at ${file}:1:1`, '    at dist/worker.js:1:1'], '')).toEqual({
    frames: [`    at ${file}:1:1`, '    at dist/worker.js:1:1'],
    location: { file, line: 1, column: 1 },
  })
})
