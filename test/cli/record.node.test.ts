import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { secretHeader, text } from 'sidecard'
import { serve } from 'sidecard/node'
import { desk, isRecording, replay } from 'sidecard/testing'
import { makeApp } from '../helpers/app.ts'
import { cli } from '../helpers/cli.ts'
import { listen } from '../helpers/listen.ts'

const SECRET = 'secret-canary-81f2'
const ASKED = ['--param', 'account_id=acme-4711', '--param', 'requester_email=eve@acme.io']

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidecard-record-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** An endpoint with a customer, who gets the secret back in a text. */
function customers() {
  const app = makeApp<any>({
    auth: secretHeader('x-secret', SECRET),
    fetchData: (ctx) => [
      text({ label: 'Customer', value: 'Eve Example-Smith' }),
      text({ label: 'Account', value: `${ctx.require('account_id')} of eve, ${SECRET}` }),
      text({ label: 'E-mail', value: ctx.require('requester_email') }),
    ],
  })
  return serve(app, { port: 0, handleSignals: false })
}

test('saves the request and the answer, and nothing that is personal', async () => {
  await using server = await customers()
  const out = join(folder, 'fixtures', 'acme.json')
  const header = ['-H', 'x-secret: env:SECRET']
  const saved = await cli(['record', server.url, ...ASKED, ...header, '--out', out], {
    env: { SECRET },
  })
  expect(saved).toMatchObject({ exitCode: 0, stdout: '' })
  expect(saved.stderr).toContain('Replaced 1 email, 6 ids, and 2 names.')
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
    answer: {
      status: 200,
      contentType: 'application/json',
      body: {
        components: [
          { value: 'Alex Example-Blake' },
          { value: 'account_1 of alex, [hidden]' },
          { value: 'person1@example.com' },
        ],
      },
    },
  })
})

test('the same endpoint gives the same file again', async () => {
  await using server = await customers()
  const args = ['record', server.url, ...ASKED, '-H', `x-secret: ${SECRET}`, '--out']
  const out = join(folder, 'acme.json')
  await cli([...args, out])
  const first = await readFile(out, 'utf8')
  expect((await cli([...args, out])).exitCode).toBe(0)
  expect(await readFile(out, 'utf8')).toBe(first)
  expect((await cli([...args, '-'])).stdout).toBe(first)
  expect(await readdir(folder)).toEqual(['acme.json'])
})

test('what was saved can be replayed for a test, shown, and reported as JSON', async () => {
  await using server = await customers()
  const out = join(folder, 'acme.json')
  const args = ['record', server.url, ...ASKED, '-H', `x-secret: ${SECRET}`, '--out', out]
  const { stdout } = await cli([...args, '--json', '--keep', 'Smith', '--replace', 'Customer'])
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    file: out,
    replaced: { emails: 1, ids: 6, names: 2, phones: 0 },
    problem: null,
  })
  const recording = JSON.parse(await readFile(out, 'utf8'))
  const agent = desk(replay(recording))
  expect(await agent.connect()).toMatchObject({ ok: true })
  const opened = await agent.openIssue(recording.request.params)
  expect(opened.text).toContain('Example-Smith')
  expect((await cli(['render', out])).stdout).toBe(opened.text)
})

test('an answer that is no valid payload is saved, and said to be none', async () => {
  const body = JSON.stringify({ status: 500, detail: 'no account acme-4711' })
  const url = await listen((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/problem+json; charset=utf-8' }).end(body)
  })
  const out = join(folder, 'broken.json')
  const saved = await cli(['record', url, ...ASKED, '--out', out])
  expect(saved.exitCode).toBe(1)
  expect(saved.stderr).toContain('saved, but: ')
  expect(JSON.parse(await readFile(out, 'utf8')).answer).toEqual({
    status: 500,
    contentType: 'application/problem+json',
    body: { status: 500, detail: 'no account account_1' },
  })
})

test.each<[string, (response: ServerResponse) => void]>([
  ['HTML', (response) => response.end('<h1>acme-4711</h1>')],
  ['nothing', (response) => response.end()],
  ['an array', (response) => response.end('[]')],
  [
    'a body that is cut off',
    (response) => response.writeHead(200, { 'content-length': '99' }).end('{}'),
  ],
  [
    'brackets without end',
    (response) => response.end(`{"a":${'['.repeat(2e5)}${']'.repeat(2e5)}}`),
  ],
])('nothing is saved of %s', async (_what, answer) => {
  const url = await listen((_request, response) => answer(response))
  const args = ['record', url, '--out', join(folder, 'a.json')]
  const { exitCode, stdout, stderr } = await cli(args)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain('Nothing is saved.')
  expect(JSON.parse((await cli([...args, '--json'])).stdout)).toMatchObject({
    ok: false,
    file: null,
  })
  expect(await readdir(folder)).toEqual([])
})

test('says that nothing answers, with an exit code of its own', async () => {
  const { url, ...server } = await customers()
  await server.close()
  expect((await cli(['record', url, '--out', join(folder, 'a.json')])).exitCode).toBe(3)
})

test('never writes over what is no recording, and asks nothing before', async () => {
  let asked = 0
  const url = await listen((_request, response) => {
    asked += 1
    response.end('{}')
  })
  const other = join(folder, 'package.json')
  await writeFile(other, '{"name":"mine"}')
  const refused = [
    ['--out', other],
    ['--out', folder],
    ['--out', '-', '--json'],
    ['--out', join(folder, 'a.json'), '--keep', ''],
    [],
  ]
  for (const args of refused) {
    const { exitCode, stdout, stderr } = await cli(['record', url, ...args])
    expect([exitCode, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1])
  }
  expect(await readFile(other, 'utf8')).toBe('{"name":"mine"}')
  expect(asked).toBe(0)
})
