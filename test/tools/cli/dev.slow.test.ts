import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openWorkspace, startDev, temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'

/** An endpoint without a framework. Its sidebar shows text of the test. */
const endpoint = (port: number, says: string) => `
import { createServer } from 'node:http'
createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://x')
  if (request.headers['x-key'] !== 'from-a-file') return response.writeHead(401).end()
  const header = { title: 'Test', icon_url: 'https://example.com/i.png' }
  const components = [{ type: 'text', label: 'Says', value: ${JSON.stringify(says)} }]
  const isVerify = searchParams.get('request_type') === 'verify'
  const answer = isVerify ? { code: searchParams.get('code') } : { version: '1.0.0', header, components }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
}).listen(${port}, '127.0.0.1')
`

/** Nothing listens there, and the default port may be in use on this machine. */
const NOWHERE = ['--url', 'http://127.0.0.1:9']

describe('sidecard dev', () => {
  test('starts the command, connects it, and shows each saved change', async () => {
    const folder = temporaryFolder()
    const port = await findFreePort()
    writeFileSync(join(folder, 'server.mjs'), endpoint(port, 'first'))
    writeFileSync(join(folder, '.env'), 'KEY=from-a-file\n')
    const options = ['--url', `http://127.0.0.1:${port}`, '-H', 'x-key: env:KEY']
    const command = [process.execPath, 'server.mjs']
    const { until, child, exit } = startDev(folder, ...options, '--', ...command)
    const [, url = ''] = await until(/Workspace {2}(http:\S+)/)
    await until(/connected {2}/)
    const workspace = await openWorkspace(url)
    expect(await workspace.sidebar()).toEqual({ outcome: 'rendered', says: 'first' })

    writeFileSync(join(folder, 'server.mjs'), endpoint(port, 'second'))
    expect(await workspace.sidebar(await workspace.nextChange())).toMatchObject({ says: 'second' })
    await until(/reloaded +server\.mjs .*\n/)

    writeFileSync(join(folder, 'server.mjs'), '\nthis is not JavaScript')
    await until(
      /this is not JavaScript[^]*SyntaxError[^]*your command failed \(exit code 1\) at server\.mjs:2\n/,
    )
    expect(await workspace.sidebar()).toEqual({ outcome: 'unreachable', before: 'second' })
    const { devServer } = await workspace.get('state')
    expect(devServer).toMatchObject({
      state: 'failed',
      message: 'your command failed (exit code 1). Save a file to start it again.',
      location: { file: 'server.mjs', line: 2 },
      excerpt: expect.stringContaining('this is not JavaScript'),
    })
    const entries: { text: string; stream: string }[] = await workspace.get('console')
    expect(entries.some(({ text }) => text.includes('SyntaxError'))).toBe(true)

    writeFileSync(join(folder, 'server.mjs'), endpoint(port, 'third'))
    expect(await workspace.sidebar(await workspace.nextChange())).toMatchObject({ says: 'third' })
    expect((await workspace.get('state')).devServer.state).toBe('running')

    child.kill('SIGINT')
    expect(await exit).toEqual([0, null])
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  }, 120_000)

  test('adds your own IDs and customers to the workspace', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'acme.json'), JSON.stringify(DATASET))
    const options = ['--url', 'http://127.0.0.1:9', '--dataset', 'acme.json']
    const params = ['--param', 'account_id=acc_acme', '--param', 'requester_email=jane@acme.test']
    const { until } = startDev(folder, ...options, ...params)
    const [, url = ''] = await until(/Workspace {2}(http:\S+)/)
    const workspace = await openWorkspace(url)
    const { issues, customers } = await workspace.get('state')
    expect(issues).toMatchObject([{ title: 'From my own data', account: { name: 'Acme' } }])
    const sent = { account_id: 'acc_acme', requester_email: 'jane@acme.test' }
    expect(customers).toMatchObject([{ name: 'From the command line', ids: sent }])
  }, 30_000)

  test('prints the URL with a token for --host, with the name of --allow-host', async () => {
    const args = ['--host', '0.0.0.0', '--allow-host', 'my-box.local', ...NOWHERE]
    const dev = startDev(temporaryFolder(), ...args)
    const [, port = '', token] = await dev.until(
      /^Workspace {2}http:\/\/my-box\.local:(\d+)\/\?token=([\w-]{22})\n/m,
    )
    const statusOf = async (query: string) =>
      (await fetch(`http://127.0.0.1:${port}/${query}`, { redirect: 'manual' })).status
    expect([await statusOf(''), await statusOf(`?token=${token}`)]).toEqual([401, 303])
  }, 30_000)

  test('reports a command that cannot listen because its port is in use', async () => {
    const port = await findFreePort()
    const program = `require('node:net').createServer().listen(${port}, '127.0.0.1', function () {
      require('node:net').createServer().listen(${port}, '127.0.0.1')
    })`
    const args = ['--url', 'http://127.0.0.1:9', '--', process.execPath, '-e', program]
    const { until } = startDev(temporaryFolder(), ...args)
    expect(await until(/EADDRINUSE[^]*your command failed \(exit code 1\)/)).not.toBeNull()
  }, 30_000)

  test.each<[string, readonly string[], RegExp]>([
    [
      'a command that is not there',
      [...NOWHERE, '--', 'no-such-program-here'],
      /Cannot run "no-such/,
    ],
    ['a folder as the command', [...NOWHERE, '--', './folder'], /Cannot run/],
    ['an empty command', [...NOWHERE, '--', ''], /Cannot run " ?"\. Check the name/],
    ['a blank command', [...NOWHERE, '--', ' '], /Cannot run " ?"\. Check the name/],
    ['nothing after --', [...NOWHERE, '--'], /No command follows --/],
    ['an empty URL', ['--url', ''], /--url must be a non-empty string/],
    ['an empty name', ['--name', ''], /--name must be a non-empty string/],
    ['an empty database', ['--database', ''], /--database must be a non-empty string/],
    ['a header without a value', ['-H', 'x-key: env:NOT_SET_ANYWHERE'], /NOT_SET_ANYWHERE/],
    ['an address that is not a URL', ['--url', 'localhost'], /http/],
    ['a data set that is no file', ['--dataset', 'huge'], /Cannot read ".*huge": no such file/],
    [
      'a data set that is not there',
      ['--dataset', 'no.json'],
      /Cannot read ".*no\.json": no such file/,
    ],
    ['a broken data set', ['--dataset', 'broken.json'], /broken\.json is not valid JSON/],
    ['an unknown parameter', ['--param', 'acount_id=3'], /account_id/],
    ['a port out of range', ['--port', '70000'], /65535/],
    ['a tunnel port out of range', ['-H', 'x: y', '--tunnel-port', '-1'], /--tunnel-port/],
    ['a tunnel without a secret', ['--tunnel-port', '0'], /--tunnel-port needs the header/],
    ['a database in a missing folder', ['--database', 'no/folder/x.sqlite'], /folder/],
  ])(
    '%s is invalid usage, in one line',
    async (_name, args, says) => {
      const folder = temporaryFolder()
      mkdirSync(join(folder, 'folder'))
      writeFileSync(join(folder, 'broken.json'), '{ "issues": [canary@example.com }')
      const { exit, output } = startDev(folder, ...args)
      expect(await exit).toEqual([2, null])
      const lines = output().trim().split('\n')
      expect(lines.at(-1)).toMatch(says)
      expect(lines.at(-1)).toMatch(/^sidecard dev: |^error: /)
      expect(output()).not.toContain('canary')
    },
    30_000,
  )

  test('explains how to create the secrets file in a fresh clone', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.env.example'), 'KEY=choose\n')
    const { exit, output } = startDev(folder, '-H', 'x-key: env:KEY')
    expect(await exit).toEqual([2, null])
    expect(output()).toContain('Copy .env.example to .env and set the values.')
  }, 30_000)

  test('explains how to fix a workspace port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { exit, output } = startDev(temporaryFolder(), '--port', String(port))
    expect(await exit).toEqual([2, null])
    expect(output()).toMatch(new RegExp(`^sidecard dev: Port ${port} is .*--port`))
  }, 30_000)
})

const DATASET = {
  customers: [{ name: 'Jane', account_id: 'acc_acme', account_name: 'Acme' }],
  issues: [{ title: 'From my own data', customer: 'Jane' }],
}
