import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ASSUMPTION_IDS } from '../../src/cli/assumptions/ids.ts'
import { cli } from '../helpers/cli.ts'
import { CANARIES, decide, FETCH, recordTunnel, VERIFY } from './assumptions-traffic.ts'

function folderWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'x.har'), content)
  return folder
}

const run = (content: string, args: readonly string[] = []) =>
  cli(['assumptions', 'x.har', ...args], { cwd: folderWith(content) })

const NOT_HAR =
  '"x.har" is neither a HAR document nor a recording. Export the requests through a tunnel in the Inspector of the workspace, with "Export as HAR".'

describe('a file that is not HAR', () => {
  test.each([
    ['empty', '', '"x.har" is empty.'],
    ['whitespace', ' \n', '"x.har" is empty.'],
    [
      'truncated',
      '{"log":{"entries":[',
      '"x.har" is not valid JSON (line 1, column 20: close bracket expected).',
    ],
    ['binary', '\u0000\u0001', '"x.har" is not valid JSON (line 1, column 1: invalid symbol).'],
    ['a payload', '{"version":"1.0.0","components":[]}', NOT_HAR],
    ['a number', '7', NOT_HAR],
    ['null', 'null', NOT_HAR],
    ['entries that are not an array', '{"log":{"entries":{}}}', NOT_HAR],
    ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000), NOT_HAR],
  ])('is rejected with one line: %s', async (_name, content, message) => {
    expect(await run(content)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `sidecard assumptions: ${message}\n`,
    })
  })

  test('is rejected by its size before it is parsed', async () => {
    const folder = folderWith('')
    truncateSync(join(folder, 'x.har'), 200_000_000)
    expect(await cli(['assumptions', 'x.har'], { cwd: folder })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `sidecard assumptions: Cannot read ${JSON.stringify(join(folder, 'x.har'))}: it exceeds 100 MB.\n`,
    })
  })

  test.each([
    ['a missing file', ['missing.har'], 'no such file'],
    ['a folder', ['.'], 'it is a folder'],
    ['no file', [], "missing required argument 'file'"],
    ['an unknown option', ['x.har', '--jsn'], 'Did you mean --json?'],
  ])('is rejected: %s', async (_name, args, message) => {
    const result = await cli(['assumptions', ...args], { cwd: folderWith('{}') })
    expect(result).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })
})

test('entries that cannot be read are counted, and the others are used', async () => {
  const fetch = {
    startedDateTime: '2026-11-22T10:00:00.000+01:00',
    time: 5,
    request: { method: 'GET', url: 'https://x.example/w?request_type=fetch_data&account_id=a' },
    response: { status: 200, content: { text: '{"components":[{"url":"::"},{"url":7}]}' } },
  }
  const broken = [
    null,
    7,
    {},
    { ...fetch, startedDateTime: 'yesterday' },
    { ...fetch, time: -1 },
    { ...fetch, request: { method: 'GET', url: 'file:///etc/passwd' } },
    { ...fetch, request: { method: 'GET', url: 'x' } },
    { ...fetch, request: 7 },
  ]
  const headers = [{ name: ':status', value: '200' }, { name: 'x', value: '\u0000' }, 7]
  const odd = { ...fetch, response: { status: 200, headers, content: null } }
  const report = await decide({ log: { entries: [...broken, fetch, odd] } })
  expect(report.requests).toMatchObject({ dataFetches: 2, ignored: broken.length })
})

test('a recording is skipped, because Sidecard sent its request', async () => {
  const recording = {
    recording: 1,
    request: { params: { account_id: 'acc_1' }, headerNames: [] },
    response: { status: 200, contentType: 'application/json', body: {} },
  }
  const report = await decide(recording)
  expect(report).toMatchObject({
    exitCode: 1,
    format: 'recording',
    summary: { holds: 0, does_not_hold: 0, skipped: 17 },
  })
  expect(report.results[3]).toMatchObject({
    id: 'A4',
    reason: expect.stringContaining('one request from Sidecard'),
  })
})

test('the requests of the emulator do not count', async () => {
  const report = await decide(await recordTunnel(async () => undefined))
  expect(report).toMatchObject({
    exitCode: 1,
    requests: { handshakes: 0, dataFetches: 0, ignored: 1 },
  })
})

test.each([
  ['one holds', 0, FETCH],
  ['one does not hold', 1, `${FETCH}&account_id=acc_2`],
  ['none was decided', 1, 'x=1'],
])('the exit code says that %s', async (_name, exitCode, query) => {
  expect(await decide(await recordTunnel(({ send }) => send(query)))).toMatchObject({ exitCode })
})

test('prints a result that can be shared', async () => {
  const har = await recordTunnel(async ({ send, pass }) => {
    await send(VERIFY)
    pass(1_000)
    await send(FETCH)
    await send(`${FETCH}&locale=${CANARIES.email}`)
    await send(FETCH, { headers: {} })
    await send('', { path: `/other/${CANARIES.account}`, method: 'POST' })
  })
  const { stdout } = await run(JSON.stringify(har))
  for (const value of Object.values(CANARIES)) expect(stdout).not.toContain(value)
  const [head, ...rest] = stdout.split('\n\n')
  expect(head).toBe(
    [
      '1 handshake, 2 data fetches, 1 other request, 0 API calls',
      '1 request with a 401 and 1 other entry not used',
      'methods: GET',
      'request headers, in the order received: user-agent, accept, x-key, host,',
      '  connection',
    ].join('\n'),
  )
  expect(rest.join('\n\n')).toContain(
    [
      '  ✓ A4  A data fetch has each ID at most once, and leaves an absent ID out or',
      '        empty.',
      '        holds',
      '        · always with a value: app_id, widget_id, issue_id, organization_id,',
      '          account_id, requester_id, requester_email',
    ].join('\n'),
  )
  expect(rest.at(-1)).toBe('2 hold, 0 do not hold, 15 skipped.\n')
})

test('names of parameters and headers that look like values are hidden', async () => {
  const names = [
    'jane@northwind.example',
    '8841730',
    'Jane Falcon',
    'acc_canary_77',
    '<script>',
    '\u001b[31m',
    'x'.repeat(200),
  ]
  const query = names.map((name) => `${encodeURIComponent(name)}=1`).join('&')
  const report = await decide(await recordTunnel(({ send }) => send(`${FETCH}&${query}&locale=de`)))
  expect(report.text).toContain('not in the contract: [hidden], locale')
  for (const name of names) expect(report.text).not.toContain(JSON.stringify(name).slice(1, -1))
})

test('every assumption of the documentation is in the table', () => {
  const page = readFileSync(new URL('../../docs/assumptions.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| (A\d+) /gm)].map(([, id]) => id)
  expect(documented).toEqual(ASSUMPTION_IDS)
})
