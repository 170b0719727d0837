import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { bin, startProcess, temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'

const server = (says: string) => `
import { createServer } from 'node:http'
createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://x')
  if (request.headers['x-key'] !== process.env.KEY) return response.writeHead(401).end()
  const code = searchParams.get('code')
  const account = searchParams.get('account_id')
  console.log(JSON.stringify({ level: 'info', msg: 'asked', account }))
  const header = { title: 'Test', icon_url: 'https://example.com/i.png' }
  const components = [{ type: 'text', label: 'Says', value: ${JSON.stringify(says)} }]
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(code ? { code } : { version: '1.0.0', header, components }))
}).listen(Number(process.env.PORT), '127.0.0.1')
`

/** A pseudo-terminal. It presses the keys that are written to its input. */
const PTY = `
import os, pty, select, sys
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
import fcntl, struct, termios
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 120, 0, 0))
while True:
    ready, _, _ = select.select([fd, 0], [], [])
    try:
        if fd in ready: os.write(1, os.read(fd, 65536))
        if 0 in ready: os.write(fd, os.read(0, 1))
    except OSError: break
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

test('a terminal has one line per event, and keys; a fresh clone gets a random secret', async () => {
  const folder = temporaryFolder()
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const url = `http://127.0.0.1:${await findFreePort()}/`
  const command = `${process.execPath} server.mjs`
  write('terminal.py', PTY)
  write('server.mjs', server('first'))
  write(
    'sidecard.json',
    JSON.stringify({
      apps: { billing: { url, command, headers: { 'x-key': 'env:KEY' } } },
      customers: { Acme: { ids: { account_id: 'acme' } }, Lumen: { ids: { account_id: 'lumen' } } },
    }),
  )
  const program = ['terminal.py', process.execPath, bin, 'dev', '--port', '0']
  const { child, exit, output, until } = startProcess('python3', program, {
    cwd: folder,
    env: { CI: '', TERM: 'xterm', NO_COLOR: '' },
    input: true,
  })
  const press = (key: string) => child.stdin?.write(key)
  const shown = () => stripVTControlCharacters(output())
  await until(/random KEY/)
  await until(/connected/)
  expect(shown()).toMatch(/\d\d:\d\d:\d\d {2}connected {4}billing at http:/)
  expect(shown()).toContain('o open   c check   r reload   s next state   q quit   ? help')
  write('server.mjs', server('second'))
  await until(/reloaded[^\n]*rendered/)
  expect(shown()).toMatch(
    /\d\d:\d\d:\d\d {2}reloaded {5}server\.mjs {2}Acme {2}rendered {2}\d+ ms\r\n/,
  )
  await expect.poll(shown).toMatch(/info[^\n]*asked {2}account=acme/)
  press('s')
  await until(/fetched[^\n]*Lumen/)
  press('c')
  await until(/checked[^\n]*passed/)
  const asked = shown().match(/asked/g)?.length ?? 0
  expect(asked).toBeLessThan(10)
  press('r')
  await until(/checked[^]*reloaded/)
  write('server.mjs', `${server('third')}\nthis is not JavaScript`)
  await until(/failed[^\n]*server\.mjs:\d+/)
  expect(shown()).toMatch(/failed {7}SyntaxError: .* {2}server\.mjs:\d+/)
  expect(shown()).not.toMatch(/Unreachable|ECONNREFUSED/)
  expect(shown()).not.toMatch(/^\{/m)
  press('q')
  expect(await exit).toEqual([0, null])
  expect(readFileSync(join(folder, 'sidecard.json'), 'utf8')).toContain('env:KEY')
}, 200_000)
