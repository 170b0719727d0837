import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readProject } from '../../../src/tools/project/project.ts'
import { eventually } from '../../helpers/eventually.ts'
import { isAlive, openWorkspace, temporaryFolder } from '../../helpers/dev-command.ts'
import { sh, startApp, startSession } from '../../helpers/dev-session.ts'

afterEach(() => void vi.unstubAllEnvs())

describe('the app', () => {
  test('is connected, and its data is shown', async () => {
    const app = await startApp()
    const session = startSession({ url: app.url })
    await session.until(/connected .*\n/)
    const url = await session.workspaceUrl()
    expect(session.output()).toBe(`Workspace  ${url}\nconnected  Billing at ${app.url}\n`)
    const workspace = await openWorkspace(url)
    expect(await workspace.sidebar()).toEqual({ outcome: 'rendered', says: 'first' })
    expect((await workspace.get('state')).devServer).toBeNull()
    expect(await session.stop()).toBe(0)
    expect(session.output()).toBe(`Workspace  ${url}\nconnected  Billing at ${app.url}\n`)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  test('is connected with its headers, and again with those of the next run', async () => {
    const app = await startApp({ says: 'x', secret: 'one' })
    const cwd = temporaryFolder()
    const database = join(cwd, 'emulator.sqlite')
    const settings = { url: app.url, emulator: { database } }
    const states = []
    for (const value of ['wrong', 'one', 'one', 'wrong']) {
      const session = startSession({ ...settings, headers: () => ({ 'x-key': value }) }, { cwd })
      // oxlint-disable-next-line no-await-in-loop -- one run after another
      states.push((await session.until(/(\w+) {2}Billing/))[1])
      // oxlint-disable-next-line no-await-in-loop -- as above
      const workspace = await openWorkspace(await session.workspaceUrl())
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect((await workspace.get('state')).apps).toHaveLength(1)
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await session.stop()).toBe(0)
    }
    expect(states).toEqual(['unverified', 'connected', 'connected', 'unverified'])
    expect(existsSync(join(cwd, 'emulator.sqlite'))).toBe(true)
  })

  test('that rejects the first handshake is connected when it accepts a later one, without a save', async () => {
    const app = await startApp({ says: 'x', secret: 'one' })
    const session = startSession({ url: app.url })
    const [, message] = await session.until(/\n(unverified.*\n.*\n)/)
    expect(message).toBe(
      `unverified  Billing at ${app.url}: returned 401: a required header is missing or wrong\n` +
        '            Send the custom header that the endpoint requires, such as x-sidecard-secret.\n',
    )
    app.behavior.secret = undefined
    await session.until(/connected {2}Billing/)
    const workspace = await openWorkspace(await session.workspaceUrl())
    expect((await workspace.get('state')).apps).toMatchObject([{ state: 'connected' }])
    const { group } = await session.saveAndReload(workspace)
    expect(group).toEqual({ id: expect.stringMatching(/^save_[\w-]{36}$/), kind: 'save' })
  })

  test('that stops after a save is shown as unreachable, and again when it listens', async () => {
    const app = await startApp()
    const session = startSession({ url: app.url })
    await session.until(/connected .*\n/)
    const workspace = await openWorkspace(await session.workspaceUrl())
    await workspace.sidebar()
    await app.stop()
    writeFileSync(join(session.cwd, 'app.ts'), '')
    await workspace.nextChange()
    expect(await workspace.sidebar()).toEqual({ outcome: 'unreachable', before: 'first' })
    app.behavior.says = 'second'
    await app.start()
    await workspace.nextChange()
    expect(await workspace.sidebar()).toEqual({ outcome: 'rendered', says: 'second' })
  })

  test('that starts late is connected when it listens, after a hint', async () => {
    const app = await startApp()
    await app.stop()
    const session = startSession({ url: app.url, hintAfterMs: 1 })
    await session.until(/Still waiting\.\n/)
    expect(session.errors()).toBe(
      `sidecard dev: cannot reach ${app.url}. Start your server there, let sidecard start it (sidecard dev -- node src/server.ts), or pass its URL with --url. Still waiting.\n`,
    )
    await app.start()
    await session.until(/connected {2}Billing/)
  })
})

test('a session that ends while it waits prints nothing more', async () => {
  const waiting = startSession({})
  await waiting.workspaceUrl()
  expect(await waiting.stop()).toBe(0)
  expect(waiting.output()).toMatch(/^Workspace {2}\S+\n$/)
  const failing = startSession({ command: sh('echo "Error: no database"; exec sleep 60') })
  await failing.until(/no database\n/)
  expect(await failing.stop()).toBe(0)
  // Longer than the command has to listen after an error.
  await sleep(700)
  expect(failing.errors()).toBe('')
  const hinted = startSession({ hintAfterMs: 1 })
  const [before] = await hinted.until(/^[^]*Still waiting\.\n/)
  expect(await hinted.stop()).toBe(0)
  expect(hinted.output()).toBe(before)
})

describe('the settings', () => {
  test('of the API, the data set and the project apply', async () => {
    const ids = { account_id: 'acc_acme' }
    const project = readProject({ customers: { Acme: { ids } } })
    const dataset = { customers: [{ name: 'Jane' }], issues: [{ title: 'Own', customer: 'Jane' }] }
    const session = startSession({
      emulator: { accessToken: 'own-token', strict: true, dataset },
      readProject: () => project,
    })
    const url = await session.workspaceUrl()
    const headers = { authorization: 'Bearer own-token' }
    expect((await fetch(`${url}tags`, { headers })).status).toBe(200)
    expect((await fetch(`${url}tags?undocumented=1`, { headers })).status).toBe(400)
    const state = await (await openWorkspace(url)).get('state')
    expect(state).toMatchObject({ strict: true })
    expect(state.project).toEqual({ directory: session.cwd })
    expect(state.issues).toMatchObject([{ title: 'Own' }])
    expect(state.customers).toMatchObject([{ name: 'Acme', ids }])
  })

  test('without a project add no customer', async () => {
    const session = startSession({})
    const { customers } = await (await openWorkspace(await session.workspaceUrl())).get('state')
    expect(customers).toEqual([])
  })

  test.each<[NodeJS.Platform, string, (url: string) => readonly string[]]>([
    ['linux', 'xdg-open', (url) => [url]],
    ['darwin', 'open', (url) => [url]],
    ['win32', 'cmd', (url) => ['/c', 'start', '', url]],
  ])('open the workspace in the browser on %s', async (platform, program, args) => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, program),
      // Ctrl-C in the terminal does not end the leader of another group.
      `#!/bin/sh
[ "$(ps -o pgid= -p $$ | tr -d ' ')" = $$ ] && leader=leader
printf '%s\\n' "$@" $leader > "${folder}/new" && mv "${folder}/new" "${folder}/args"
`,
    )
    chmodSync(join(folder, program), 0o755)
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
    const original = process.platform
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: original }))
    Object.defineProperty(process, 'platform', { value: platform })
    const session = startSession({ open: true })
    const expected = `${args(await session.workspaceUrl()).join('\n')}\nleader\n`
    await eventually(() => expect(readFileSync(join(folder, 'args'), 'utf8')).toBe(expected))
  })

  test('open nothing on a machine without a browser', async () => {
    vi.stubEnv('PATH', temporaryFolder())
    const session = startSession({ open: true })
    expect((await fetch(await session.workspaceUrl())).status).toBe(200)
    expect(await session.stop()).toBe(0)
    expect(session.errors()).toBe('')
  })
})

describe('the command', () => {
  test('gets the API, and its output is shown', async () => {
    const command = sh(
      'echo "out $SIDECARD_DEV $SIDECARD_API_URL $SIDECARD_API_TOKEN $FORCE_COLOR."; read key || echo "no keyboard"; echo err >&2',
    )
    const session = startSession({ command, emulator: { accessToken: 'own-token' } })
    expect(await session.exit).toBe(0)
    const url = await session.workspaceUrl()
    expect(session.output()).toContain(`out 1 ${url.replace(/\/$/, '')} own-token .\nno keyboard\n`)
    expect(session.errors()).toBe('err\n')
  })

  test.each([
    [{}, '.'],
    [{ HTTP_PROXY: 'http://proxy:1' }, 'localhost,127.0.0.1,::1.'],
    [{ https_proxy: 'http://proxy:1', NO_PROXY: 'a.b' }, 'a.b,localhost,127.0.0.1,::1.'],
    [{ NO_PROXY: 'a.b' }, 'a.b.'],
  ])('with the proxy in %j reaches the API without it', async (proxy, expected) => {
    const env = { PATH: process.env['PATH'], ...proxy }
    const session = startSession({ command: sh('echo "hosts $NO_PROXY."') }, { env })
    expect(await session.exit).toBe(0)
    expect(session.output()).toContain(`hosts ${expected}\n`)
  })

  test.each([
    [false, undefined, ''],
    [true, undefined, '1'],
    [true, '3', '3'],
    [false, '3', '3'],
  ])('in a terminal with color (%s) and FORCE_COLOR=%s gets %s', async (color, own, expected) => {
    const env = { PATH: process.env['PATH'], FORCE_COLOR: own }
    const session = startSession({ command: sh('echo "color $FORCE_COLOR."') }, { color, env })
    expect(await session.exit).toBe(0)
    expect(session.output()).toContain(`color ${expected}.\n`)
  })

  test.each([
    ['exits with another code', 'echo bye; exit 3', '(exit code 3)\n'],
    ['prints nothing', 'exit 4', '(exit code 4)\n'],
    ['is killed', 'echo "Error: x" >&2; kill -9 $$', '(SIGKILL)\n'],
  ])('that %s is started again by the next save', async (_name, script, message) => {
    const session = startSession({ command: sh(`test -f app.ts && echo again && exit; ${script}`) })
    await session.until(/start it again\.\n/)
    const shown = session.errors().replace(/^Error: x\n/, '')
    expect(shown).toBe(
      `sidecard dev: your command failed ${message}Save a file to start it again.\n`,
    )
    const workspace = await openWorkspace(await session.workspaceUrl())
    expect((await workspace.get('state')).devServer).toMatchObject({ state: 'failed' })
    writeFileSync(join(session.cwd, 'app.ts'), '')
    expect(await session.exit).toBe(0)
    expect(session.output()).toMatch(/again\n$/)
  })

  test('is found in node_modules/.bin, and relative to the folder', async () => {
    const cwd = temporaryFolder()
    const bin = join(cwd, 'node_modules', '.bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'my-server'), '#!/bin/sh\necho "here: $1 in $PWD"\n')
    chmodSync(join(bin, 'my-server'), 0o755)
    for (const program of ['my-server', './node_modules/.bin/my-server', join(bin, 'my-server')]) {
      const session = startSession({ command: [program, 'an argument'] }, { cwd })
      // oxlint-disable-next-line no-await-in-loop -- one command after another
      expect(await session.exit).toBe(0)
      expect(session.output()).toContain(`here: an argument in ${cwd}\n`)
    }
  })

  test.each([
    [['no-such-program'], 'command_missing', 'Cannot run "no-such-program". Check the name'],
    [['./folder'], 'command_missing', 'Cannot run "./folder". Check the name'],
    [['./plain-file'], 'command_missing', 'Cannot run "./plain-file". Check the name'],
    [[''], 'command_missing', 'Cannot run "". Check the name'],
    [[' '], 'command_missing', 'Cannot run " ". Check the name'],
    [
      ['http://user:pass@127.0.0.1:8787/'],
      'usage',
      'The command is a URL. Pass the URL of your endpoint as --url.',
    ],
  ])('%j cannot be run', async (command, code, message) => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, 'folder'))
    writeFileSync(join(cwd, 'plain-file'), '#!/bin/sh\n')
    await expect(startSession({ command }, { cwd }).exit).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })

  test('is not started if another server uses its port', async () => {
    const { url } = await startApp()
    const { port } = new URL(url)
    const session = startSession({ url, command: sh('echo started') })
    await expect(session.exit).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(
        new RegExp(
          `^Another program uses port ${port}\\. Stop it, or choose another port: set PORT=\\d+ in the environment or in \\.env\\.$`,
        ),
      ),
    })
    expect(session.output()).toBe('')
  })

  test.each([
    ['dev', 'PORT=<port> pnpm run dev'],
    ['npx', 'set PORT=<port> in the environment or in .env.'],
  ])('under "%s", a port in use is reported with advice that works', async (event, advice) => {
    const { url } = await startApp()
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'package.json'), '{ "scripts": { "dev": "sidecard dev" } }')
    const npm = { npm_lifecycle_event: event, npm_config_user_agent: 'pnpm/10.0.0 node/v24' }
    const env = { PATH: process.env['PATH'], ...npm }
    const error: unknown = await startSession(
      { url, command: sh('true') },
      { cwd, env },
    ).exit.catch((reason: unknown) => reason)
    const [, given] = /choose another port: (.*)$/.exec(String(error)) ?? []
    expect(given?.replace(/\d+/, '<port>')).toBe(advice)
  })

  test('and its processes end with the session', async () => {
    const session = startSession({ command: sh('sleep 60 & echo "pids $$ $!"; wait') })
    const [, ...pids] = await session.until(/pids (\d+) (\d+)\n/)
    expect(await session.stop()).toBe(0)
    await eventually(() => expect(pids.map(Number).filter(isAlive)).toEqual([]))
    expect(session.errors()).toBe('')
  })

  test('that exits does not leave its processes behind', async () => {
    const session = startSession({ command: sh('sleep 60 & echo "pid $!"; exit 0') })
    const [, pid] = await session.until(/pid (\d+)\n/)
    expect(await session.exit).toBe(0)
    await eventually(() => expect(isAlive(Number(pid))).toBe(false))
  })

  test('leaves no listener on the process', async () => {
    const before = process.listenerCount('exit')
    await startSession({ command: sh('exit 0') }).exit
    expect(process.listenerCount('exit')).toBe(before)
  })
})
