import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { findCommandFailure } from '../../../src/tools/cli/server/command-failure.ts'
import { createTerminal } from '../../../src/tools/cli/dev/terminal.ts'
import { PLAIN } from '../../../src/tools/internal/palette.ts'
import { temporaryFolder } from '../../helpers/dev-command.ts'

function open({ isTTY = true, env = {}, isOwn = false } = {}) {
  let written = ''
  const stream = {
    isTTY,
    columns: 100,
    write: (text: string) => {
      written += text
    },
  }
  const io = {
    stdin: (async function* () {})(),
    stdout: stream,
    stderr: stream,
    env,
    cwd: temporaryFolder(),
    palette: PLAIN,
    color: false,
  }
  const terminal = createTerminal(io, () => isOwn)
  return { terminal, raw: () => written, shown: () => stripVTControlCharacters(written) }
}

const LOG = JSON.stringify({ level: 'warn', msg: 'slow query', ms: 812, traceId: 'abc', list: [1] })
const REQUEST = JSON.stringify({
  level: 'warn',
  msg: 'sidecard request',
  app: 'Billing',
  status: 401,
})

test('an event is one line, with the time, its name and what it is about', () => {
  const { terminal, shown } = open()
  terminal.event('reloaded', 'green', ['sidebar.ts', undefined, 'Acme', 'rendered', '18 ms'])
  expect(shown()).toMatch(
    /^\d\d:\d\d:\d\d {2}reloaded {5}sidebar\.ts {2}Acme {2}rendered {2}18 ms\n$/,
  )
})

test('without a terminal, and in CI, lines have no time and no columns', () => {
  for (const options of [{ isTTY: false }, { env: { CI: 'true' } }]) {
    const { terminal, raw } = open(options)
    terminal.event('reloaded', 'green', ['sidebar.ts', 'rendered'])
    terminal.output('stdout', 'foreign\n')
    terminal.output('stdout', 'foreign\n')
    expect(raw()).toBe('reloaded  sidebar.ts  rendered\nforeign\nforeign\n')
  }
})

test('a log line in JSON is an event without JSON, also with the mark of wrangler', () => {
  for (const line of [LOG, `✘ [ERROR] ${LOG}`]) {
    const { terminal, shown } = open()
    terminal.output('stdout', `${line}\n`)
    expect(shown()).toMatch(/^\d\d:\d\d:\d\d {2}warn {9}slow query {2}ms=812\n$/)
  }
})

test('a log line about a request is hidden, if the request is an event', () => {
  const own = open({ isOwn: true })
  own.terminal.output('stdout', `${REQUEST}\n${LOG}\n`)
  expect(own.shown()).toMatch(/^.* {2}slow query {2}ms=812\n$/)
  const other = open()
  other.terminal.output('stdout', `${REQUEST}\n`)
  expect(other.shown()).toMatch(/rejected {5}401\n$/)
})

test('equal lines in a row are one line with a number', () => {
  const { terminal, raw } = open()
  terminal.output('stdout', 'same\nsame\n')
  terminal.output('stderr', 'same\n')
  terminal.output('stdout', 'other\n')
  const again = '\u001B[1A\u001B[2K'
  expect(raw()).toBe(`same\n${again}same  ×2\n${again}same  ×3\nother\n`)
})

test('the rejected requests of a check in a different terminal are one line', () => {
  const { terminal, raw } = open()
  for (const [status, outcome] of [
    [401, 'unauthorized'],
    [400, 'missing_code'],
    [401, 'unauthorized'],
  ]) {
    terminal.output('stdout', REQUEST.replace('401', `${status},"outcome":"${outcome}"`) + '\n')
  }
  expect(stripVTControlCharacters(raw().split('\u001B[2K').at(-1) ?? '')).toMatch(
    /rejected {5}401 {2}unauthorized {2}×3\n$/,
  )
  expect(raw().split('\u001B[1A')).toHaveLength(raw().split('\n').length - 1)
})

test('a line that does not fit is not replaced, because it has several rows', () => {
  const { terminal, raw } = open()
  const long = 'x'.repeat(100)
  terminal.output('stdout', `${long}\n${long}\n`)
  expect(raw()).toBe(`${long}\n${long}\n`)
})

test('output cannot move the cursor or clear the screen', () => {
  const { terminal, raw } = open()
  terminal.output('stdout', '\u001B[2J\u001B[31mred\u001B[0m\u0007\n')
  expect(raw()).toBe('red\n')
})

test('a missing network is neither shown nor the reason for a failure', () => {
  const warning = [
    '[wrangler:warn] Unable to fetch the `Request.cf` object! Falling back to a default placeholder...',
    'Error: getaddrinfo ENOTFOUND workers.cloudflare.com',
    '    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:123:26)',
  ].join('\n')
  const { terminal, raw } = open()
  terminal.output('stderr', `${warning}\n`)
  expect(raw()).toBe('')
  const folder = temporaryFolder()
  expect(findCommandFailure(`${warning}\n`, folder)).toBeUndefined()
  const failed = findCommandFailure(
    `${warning}\n✘ [ERROR] Uncaught Error: boom\n${warning}\n`,
    folder,
  )
  expect(failed?.excerpt).toMatch(/^✘ \[ERROR\] Uncaught Error: boom/)
})
