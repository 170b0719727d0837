import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { noAuth, secretHeader, section, text } from 'sidecard'
import { serve } from 'sidecard/node'
import { createTestApp } from '../../helpers/app.ts'
import { cli } from '../../helpers/cli.ts'
import { parseJson } from '../../../src/tools/internal/parse-json.ts'
import { listen } from '../../helpers/listen.ts'

const valid = JSON.stringify({
  version: '1.0.0',
  header: { title: 'Billing' },
  components: [{ type: 'text', label: 'Plan', value: 'x'.repeat(60) }],
})

test('renders a payload from a file and from standard input', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'sidecard-')), 'answer.json')
  await writeFile(file, valid)
  const fromFile = await cli(['render', file])
  expect(fromFile).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Plan  xxx') })
  expect(fromFile.stderr).toContain('components[0].value: text truncated')
  expect(await cli(['render', '-'], { stdin: valid })).toEqual(fromFile)
})

test('reports the path, the problem and the fix of an invalid payload', async () => {
  const stdin =
    '{"version":"1.0.0","header":{},"components":[{"type":"badge","label":"x","items":[{"value":"y","color":"grey"}]}]}'
  const human = await cli(['render', '-'], { stdin })
  expect(human.exitCode).toBe(1)
  expect(human.stderr).toMatch(/components\[0\]\.items\[0\]\.color: .*gray/)
  const json = await cli(['render', '-', '--json'], { stdin })
  expect(json.exitCode).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, issues: [{ code: 'invalid_color' }] })
})

test.each([
  ['text that is not JSON', ['render', '-'], 'not json', 1],
  ['a missing file', ['render', '/nowhere/answer.json'], '', 2],
  ['an unknown time zone', ['render', '-', '--time-zone', 'Mars/Olympus'], valid, 2],
  ['an invalid width', ['render', '-', '--width', 'wide'], valid, 2],
])('rejects %s', async (_name, args, stdin, exitCode) => {
  const answer = await cli(args, { stdin })
  expect(answer.exitCode).toBe(exitCode)
  expect(answer.stderr.trim().split('\n')).toHaveLength(1)
})

test('fetches from an endpoint with the custom headers', async () => {
  const app = createTestApp<any>({
    auth: secretHeader('x-secret', 's'),
    fetchData: (ctx) => [text({ label: 'Account', value: ctx.require('account_id') })],
  })
  await using server = await serve(app, { port: 0, handleSignals: false })
  const args = ['render', server.url, '--param', 'account_id=acc_9']
  const shown = await cli([...args, '-H', 'x-secret: env:SECRET'], { env: { SECRET: 's' } })
  expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('acc_9') })
  const rejected = await cli(args)
  expect(rejected.exitCode).toBe(1)
})

test('exits 3 if the endpoint is unreachable', async () => {
  const server = await serve(createTestApp({ auth: noAuth() }), { port: 0, handleSignals: false })
  await server.close()
  expect((await cli(['render', server.url])).exitCode).toBe(3)
})

test('reports the line and column of invalid JSON', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidecard-'))
  await writeFile(
    join(folder, 'broken.json'),
    '{\n  "version": "1.0.0",\n  "header": { title: "x" }\n}',
  )
  const { exitCode, stderr } = await cli(['render', 'broken.json'], { cwd: folder })
  expect(exitCode).toBe(1)
  expect(stderr).toBe('sidecard render: broken.json:3:15: invalid JSON, invalid symbol\n')
  const fromStdin = await cli(['render', '-'], { stdin: '[1, 2' })
  expect(fromStdin.stderr).toContain('standard input:1:6: invalid JSON, close bracket expected')
})

test('agrees with JSON.parse() about any text', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\u00e9"',
    '"\\x"',
    '1',
    '-0.5e3',
    '01',
    'true',
    'nul',
    ' ',
    '\n',
    '\u00a0',
    '"',
  )
  const texts = fc.oneof(
    fc.json(),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (json) => {
      let isJson = true
      try {
        JSON.parse(json)
      } catch {
        isJson = false
      }
      expect(parseJson(json).ok).toBe(isJson)
    }),
    { numRuns: 2_000 },
  )
})

test('reports the path of a missing file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidecard-'))
  const { exitCode, stderr } = await cli(['render', 'fixtures/acme.json'], { cwd: folder })
  expect(exitCode).toBe(2)
  expect(stderr).toBe(
    `sidecard render: Cannot read ${JSON.stringify(join(folder, 'fixtures/acme.json'))}: no such file or folder.\n`,
  )
  expect((await cli(['render', '.'], { cwd: folder })).stderr).toContain('it is a folder')
  expect((await cli(['render', 'example.com/widget'])).stderr).toContain(
    'A URL starts with http:// or https://.',
  )
})

test('reports each failure of an endpoint, and exits 1', async () => {
  const app = createTestApp({
    fetchData: () => [
      text({ label: 'Plan', value: 'Pro' }),
      section('Errors', () => Promise.reject(new Error('tracker down'))),
      section('Orders', () => Promise.reject(new Error('shop down'))),
    ],
  })
  await using server = await serve(app, { port: 0, handleSignals: false })
  const { exitCode, stdout, stderr } = await cli(['render', server.url])
  expect(exitCode).toBe(1)
  expect(stdout).toContain('Pro')
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('sidecard render:'))
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(
    /^sidecard render: components\[1\]: a section failed.* \(trace ID [0-9a-z]{12}\)$/,
  )
  const traceId = /trace ID ([0-9a-z]{12})/.exec(lines[0] ?? '')?.[1] ?? 'none'
  expect((await cli(['render', server.url, '--width', '20'])).stdout).toMatch(/[0-9a-z]{12}/)
  expect(traceId).not.toBe('none')
  const json = await cli(['render', server.url, '--json'])
  expect(json.exitCode).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    outcome: 'failed',
    failures: [{ kind: 'section_failed' }, { kind: 'section_failed' }],
  })
})

test.each([
  ['timeout', 1],
  ['melted', 1],
  ['timeout;;', 1],
  ['section_timeout;component=0;stale', 0],
])('reports the header x-sidecard-failure: %s as a failure', async (header, exitCode) => {
  const url = await listen((_request, response) => {
    response.setHeader('x-sidecard-failure', header).end(valid)
  })
  const shown = await cli(['render', url])
  expect(shown.exitCode).toBe(exitCode)
  expect(shown.stderr).toContain('sidecard render: ')
})

test('writes a self-contained page, and replaces only its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidecard-'))
  const args = ['render', '-', '--html', 'out/widget.html']
  const options = { stdin: valid, cwd: folder }
  expect(await cli(args, options)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Wrote out/widget.html.\n',
  })
  const page = await readFile(join(folder, 'out/widget.html'), 'utf8')
  expect(page).toContain('Content-Security-Policy')
  expect(page).toContain('x'.repeat(60))
  expect((await cli(args, options)).exitCode).toBe(0)
  expect((await cli(['render', '-', '--html', '-'], options)).stdout).toBe(page)
  await writeFile(join(folder, 'mine.html'), '<h1>mine</h1>')
  const rejected = await cli(['render', '-', '--html', 'mine.html'], options)
  expect(rejected.exitCode).toBe(2)
  expect(await readFile(join(folder, 'mine.html'), 'utf8')).toBe('<h1>mine</h1>')
  expect((await cli(['render', '-', '--html', '-', '--json'], options)).exitCode).toBe(2)
})

test('reports a designed card', async () => {
  const app = createTestApp({
    fetchData: (ctx) => [text({ label: 'Account', value: ctx.require('account_id') })],
  })
  await using server = await serve(app, { port: 0, handleSignals: false })
  const shown = await cli(['render', server.url, '--param', 'account_id='])
  expect(shown.exitCode).toBe(0)
  expect(shown.stderr).toContain(
    'a required ID is missing; the agent sees a card with this message. Send the ID that the endpoint requires.',
  )
})

test('escapes control characters of headers', async () => {
  const detail = [
    {
      kind: 'timeout',
      section: '\u001B[31m',
      error: { name: 'E', message: '\u001B]8;;x\u0007 \u202E' },
    },
  ]
  const error = `:${Buffer.from(JSON.stringify(detail)).toString('base64')}:`
  const url = await listen((_request, response) => {
    response.setHeader('x-sidecard-failure', 'timeout').setHeader('x-sidecard-error', error)
    response.setHeader('x-sidecard-trace', '\u009B31m').end(valid)
  })
  const { stderr } = await cli(['render', url])
  expect(stderr).toContain('fetchData timed out')
  // oxlint-disable-next-line no-control-regex -- the test searches for control characters
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
})
