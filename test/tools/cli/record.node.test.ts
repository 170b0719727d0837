import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identify, secretHeader, section, text } from 'sidecard'
import { serve } from 'sidecard/node'
import { createTestService, isRecording, replay } from 'sidecard/testing'
import { createTestApp } from '../../helpers/app.ts'
import { cli } from '../../helpers/cli.ts'
import { listen } from '../../helpers/listen.ts'

const SECRET = 'secret-canary-81f2'
const ID_FLAGS = ['--param', 'account_id=acme-4711', '--param', 'requester_email=eve@acme.io']

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidecard-record-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** An endpoint with a customer, which returns the secret in a text. */
function customers() {
  const app = createTestApp<any>({
    auth: secretHeader('x-secret', SECRET),
    fetchData: (ctx) => [
      text({ label: 'Customer', value: 'Eve Example-Smith' }),
      text({ label: 'Account', value: `${ctx.require('account_id')} of eve, ${SECRET}` }),
      text({ label: 'Email', value: ctx.require('requester_email') }),
    ],
  })
  return serve(app, { port: 0, handleSignals: false })
}

test('saves the request and the response without personal data', async () => {
  await using server = await customers()
  const out = join(folder, 'fixtures', 'acme.json')
  const header = ['-H', 'x-secret: env:SECRET']
  const saved = await cli(['record', server.url, ...ID_FLAGS, ...header, '--output', out], {
    env: { SECRET },
  })
  expect(saved).toMatchObject({ exitCode: 0, stdout: '' })
  expect(saved.stderr).toMatch(
    /^Saved .*acme\.json\. Replaced 10 texts\. Kept "Customer", "Account", and "Email"\. Review them before you commit the file\.\n/,
  )
  const file = await readFile(out, 'utf8')
  for (const personal of [SECRET, 'acme', 'Eve', 'eve', 'Smith', '4711']) {
    expect(file).not.toContain(personal)
  }
  const recording: unknown = JSON.parse(file)
  expect(isRecording(recording)).toBe(true)
  expect(recording).toMatchObject({
    request: {
      params: { account_id: 'account_1', requester_email: 'person1@example.com' },
      headerNames: ['x-secret'],
    },
    response: {
      status: 200,
      contentType: 'application/json',
      body: {
        components: [
          { label: 'Customer', value: 'Text 2' },
          { label: 'Account', value: 'Text 3' },
          { label: 'Email', value: 'person1@example.com' },
        ],
      },
    },
  })
})

test('writes the same file for the same response', async () => {
  await using server = await customers()
  const args = ['record', server.url, ...ID_FLAGS, '-H', `x-secret: ${SECRET}`, '--output']
  const out = join(folder, 'acme.json')
  await cli([...args, out])
  const first = await readFile(out, 'utf8')
  expect((await cli([...args, out])).exitCode).toBe(0)
  expect(await readFile(out, 'utf8')).toBe(first)
  expect((await cli([...args, '-'])).stdout).toBe(first)
  expect(await readdir(folder)).toEqual(['acme.json'])
})

test('creates recordings that can be replayed, rendered and reported as JSON', async () => {
  await using server = await customers()
  const out = join(folder, 'acme.json')
  const args = ['record', server.url, ...ID_FLAGS, '-H', `x-secret: ${SECRET}`, '--output', out]
  const { stdout } = await cli([...args, '--json', '--keep', 'eve example-smith'])
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    file: out,
    kept: ['Eve Example-Smith', 'Customer', 'Account', 'Email'],
    replaced: 9,
    problem: null,
    assumptions: {
      holds: ['A1', 'A2', 'A3', 'A8', 'A9', 'A10'],
      doesNotHold: [],
      undecided: expect.arrayContaining(['A4', 'A6', 'A12']),
      lines: [expect.stringMatching(/^assumptions in 1 request: hold: A1, /)],
    },
  })
  const recording = JSON.parse(await readFile(out, 'utf8'))
  const service = createTestService(replay(recording))
  expect(await service.connect()).toMatchObject({ ok: true })
  const opened = await service.openIssue(recording.request.params)
  expect(opened.text).toContain('Example-Smith')
  expect((await cli(['render', out])).stdout).toBe(opened.text)
})

test('replaces the labels that another customer does not have', async () => {
  const app = createTestApp<any>({
    fetchData: (ctx) => [
      text({ label: 'Plan', value: 'Pro' }),
      text({ label: ctx.require('account_id'), value: 'Owner' }),
    ],
  })
  await using server = await serve(app, { port: 0, handleSignals: false })
  const params = ['Müller GmbH', 'Lumen'].flatMap((id) => ['--param', `account_id=${id}`])
  const args = ['record', server.url, ...params, '--output', '-']
  const { stdout, stderr } = await cli(args)
  const { components } = JSON.parse(stdout).response.body
  expect(components).toEqual([
    { type: 'text', label: 'Plan', value: 'Text 2' },
    { type: 'text', label: 'account_1', value: 'Text 3' },
  ])
  expect(stdout).not.toMatch(/Müller|Lumen/)
  expect(stderr).toContain('Kept "Plan".')
})

test('saves nothing if another customer has no data, because labels cannot be compared', async () => {
  const app = createTestApp<any>({
    fetchData: (ctx) =>
      identify(ctx, { account_id: (id) => (id === 'acme' ? { id } : undefined) }).then(() => []),
  })
  await using server = await serve(app, { port: 0, handleSignals: false })
  const params = ['acme', 'nobody'].flatMap((id) => ['--param', `account_id=${id}`])
  const { exitCode, stdout, stderr } = await cli([
    'record',
    server.url,
    ...params,
    '--output',
    join(folder, 'a.json'),
  ])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('Customer 2 of --param has no data. Pass the IDs of another customer.')
  expect(await readdir(folder)).toEqual([])
})

test('saves a response that is not a payload only with --allow-failures', async () => {
  const body = JSON.stringify({ status: 500, detail: 'no account acme-4711' })
  const url = await listen((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/problem+json; charset=utf-8' }).end(body)
  })
  const out = join(folder, 'broken.json')
  const rejected = await cli(['record', url, ...ID_FLAGS, '--output', out])
  expect(rejected).toMatchObject({ exitCode: 1, stdout: '' })
  expect(rejected.stderr).toContain('returned 500')
  expect(rejected.stderr).toContain('Nothing was saved. To save it anyway, use --allow-failures.')
  expect(await readdir(folder)).toEqual([])
  const saved = await cli(['record', url, ...ID_FLAGS, '--output', out, '--allow-failures'])
  expect(saved.exitCode).toBe(0)
  expect(saved.stderr).toContain('saved, but: returned 500')
  expect(JSON.parse(await readFile(out, 'utf8')).response).toEqual({
    status: 500,
    contentType: 'application/problem+json',
    body: { status: 500, detail: 'Text 1' },
  })
})

test('saves a response with a failure only with --allow-failures', async () => {
  const app = createTestApp({
    fetchData: () => [
      text({ label: 'Plan', value: 'Pro' }),
      section('Errors', () => Promise.reject(new Error('tracker down'))),
    ],
  })
  await using server = await serve(app, { port: 0, handleSignals: false })
  const args = ['record', server.url, '--output', join(folder, 'a.json')]
  const rejected = await cli(args)
  expect(rejected.exitCode).toBe(1)
  expect(rejected.stderr).toMatch(/a section failed.*trace ID [0-9a-z]{12}/)
  expect(await readdir(folder)).toEqual([])
  expect((await cli([...args, '--allow-failures'])).exitCode).toBe(0)
  expect(await readdir(folder)).toEqual(['a.json'])
})

test('says once what is invalid, and offers --allow-failures only if there is something to save', async () => {
  const app = createTestApp({
    fetchData: () => [{ type: 'text', label: 'Seats', value: 42 } as never],
  })
  await using server = await serve(app, {
    port: 0,
    handleSignals: false,
    env: { SIDECARD_DEV: '1' },
  })
  const invalid = await cli(['record', server.url, '--output', join(folder, 'a.json')])
  expect(invalid.stderr.match(/invalid payload/g)).toHaveLength(1)
  expect(invalid.stderr.match(/Write String\(value\)\./g)).toHaveLength(1)
  expect(invalid.stderr).toContain('--allow-failures')

  const url = await listen(() => undefined)
  const hanging = await cli(['record', url, '--timeout', '50', '--output', join(folder, 'a.json')])
  expect(hanging.stderr).toContain('did not complete before the timeout')
  expect(hanging.stderr).not.toContain('--allow-failures')
})

test('hides secrets in every part of a response', async () => {
  const url = await listen((_request, response) => {
    const secret = SECRET
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        version: secret,
        header: { title: Buffer.from(`key=${secret}`).toString('base64') },
        [secret]: 1,
        components: [
          { type: secret },
          { type: 'badge', label: secret.slice(0, -3), items: [{ value: 'x', color: secret }] },
          {
            type: 'link',
            label: 'Open',
            url: `https://x.example/?k=${encodeURIComponent(secret)}`,
          },
        ],
      }),
    )
  })
  const header = ['-H', `x-secret: ${SECRET}`]
  const { stdout } = await cli(['record', url, ...header, '--output', '-', '--allow-failures'])
  const { stderr } = await cli(['render', url, ...header])
  const json = await cli(['render', url, ...header, '--json'])
  for (const written of [stdout, stderr, json.stdout]) {
    expect(written).not.toBe('')
    for (let start = 0; start + 7 <= SECRET.length; start += 1) {
      expect(written).not.toContain(SECRET.slice(start, start + 7))
    }
    expect(written).not.toContain(Buffer.from(SECRET).toString('base64').slice(3, 20))
  }
  expect(JSON.parse(stdout).response.body.components[2].url).toBe('https://example.com/1')
})

test.each<[string, (response: ServerResponse) => void]>([
  ['HTML', (response) => response.end('<h1>acme-4711</h1>')],
  ['nothing', (response) => response.end()],
  ['an array', (response) => response.end('[]')],
  ['a truncated body', (response) => response.writeHead(200, { 'content-length': '99' }).end('{}')],
  ['deeply nested JSON', (response) => response.end(`{"a":${'['.repeat(2e5)}${']'.repeat(2e5)}}`)],
])('does not save %s', async (_what, answer) => {
  const url = await listen((_request, response) => answer(response))
  const args = ['record', url, '--output', join(folder, 'a.json')]
  const { exitCode, stdout, stderr } = await cli(args)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain('Nothing was saved.')
  expect(JSON.parse((await cli([...args, '--json'])).stdout)).toMatchObject({
    ok: false,
    file: null,
  })
  expect(await readdir(folder)).toEqual([])
})

test('exits 3 if the endpoint is unreachable', async () => {
  const { url, ...server } = await customers()
  await server.close()
  expect((await cli(['record', url, '--output', join(folder, 'a.json')])).exitCode).toBe(3)
})

test('overwrites only recordings, and checks this before any request', async () => {
  let asked = 0
  const url = await listen((_request, response) => {
    asked += 1
    response.end('{}')
  })
  const other = join(folder, 'package.json')
  await writeFile(other, '{"name":"mine"}')
  const rejected = [
    ['--output', other],
    ['--output', folder],
    ['--output', '-', '--json'],
    ['--output', join(folder, 'a.json'), '--keep', ''],
    [],
  ]
  for (const args of rejected) {
    const { exitCode, stdout, stderr } = await cli(['record', url, ...args])
    expect([exitCode, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1])
  }
  expect(await readFile(other, 'utf8')).toBe('{"name":"mine"}')
  expect(asked).toBe(0)
})
