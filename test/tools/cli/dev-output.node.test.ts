import { mkdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, type TestContext } from 'vitest'
import { eventually } from '../../helpers/eventually.ts'
import { openWorkspace, temporaryFolder } from '../../helpers/dev-command.ts'
import { sh, startApp, startSession } from '../../helpers/dev-session.ts'
import { findFreePort } from '../../helpers/free-port.ts'

describe('the output of the command', () => {
  /** A command that prints what a test writes into the file `say`, which is not a source file. */
  const PRINTER = [
    ...sh('while :; do [ -f say ] && mv say said && cat said; sleep 0.02; done'),
    // The command counts as one that reloads itself.
    '--watch',
  ]

  async function start({ isListening = true } = {}) {
    const app = await startApp({ says: 'first', instance: 'one' })
    await app.stop()
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'index.js'), '')
    writeFileSync(join(cwd, 'package.json'), '{ "devDependencies": {} }')
    mkdirSync(join(cwd, 'node_modules'))
    const session = startSession({ url: app.url, command: PRINTER }, { cwd })
    const workspace = await openWorkspace(await session.workspaceUrl())
    const devServer = async () => (await workspace.get('state')).devServer
    const starting = await devServer()
    if (isListening) {
      await app.start()
      await session.until(/connected .*\n/)
    }
    return {
      app,
      session,
      workspace,
      devServer,
      starting,
      say(text: string) {
        writeFileSync(join(session.cwd, 'new'), text)
        renameSync(join(session.cwd, 'new'), join(session.cwd, 'say'))
      },
    }
  }

  const IDLE = { message: '', location: null, excerpt: '' }

  test('of a bundler that cannot build is a failure, until the next save', async () => {
    const { app, session, workspace, devServer, starting, say } = await start()
    expect(starting).toEqual({ state: 'starting', ...IDLE })
    expect(await devServer()).toEqual({ state: 'running', ...IDLE })
    say('[ERROR] Build failed with 1 error:\nindex.js:7:5: ERROR: Expected ";"\n')
    await session.until(/your command failed.*\n$/)
    expect(session.errors()).toBe('sidecard dev: your command failed at index.js:7\n')
    expect(await devServer()).toEqual({
      state: 'failed',
      message: 'your command failed',
      location: { file: 'index.js', line: 7, column: 5 },
      excerpt: '[ERROR] Build failed with 1 error:\nindex.js:7:5: ERROR: Expected ";"',
    })
    const reload = session.saveAndReload(workspace)
    app.behavior.instance = 'two'
    await reload
    expect(await devServer()).toEqual({ state: 'running', ...IDLE })
  })

  test('with an error that the app logs is not a failure while it listens', async () => {
    const { session, devServer, say } = await start()
    say('Error: logged by the app\n')
    await session.until(/logged by the app/)
    // Longer than the command has to listen again after an error.
    await sleep(700)
    expect(await devServer()).toEqual({ state: 'running', ...IDLE })
    expect(session.errors()).toBe('')
  })

  test('with an error of an app that does not listen is a failure, reported once', async () => {
    const { session, devServer, say } = await start({ isListening: false })
    rmdirSync(join(session.cwd, 'node_modules'))
    say("Error: Cannot find package 'hono'\n")
    await session.until(/Run npm install first\.\n/)
    const message =
      'sidecard dev: your command failed\nThe folder has no node_modules. Run npm install first.\n'
    expect(session.errors()).toBe(message)
    expect(await devServer()).toEqual({
      state: 'failed',
      message: 'your command failed. The folder has no node_modules. Run npm install first.',
      location: null,
      excerpt: "Error: Cannot find package 'hono'",
    })
    say('\n')
    await sleep(700)
    expect(session.errors()).toBe(message)
  })

  test('with an error of an app that stops is a failure', async () => {
    const { app, session, workspace, devServer, say } = await start()
    await session.saveAndReload(workspace)
    expect(await devServer()).toEqual({ state: 'running', ...IDLE })
    say('Error: out of memory\n')
    await app.stop()
    await session.until(/your command failed\n/)
    expect(await devServer()).toMatchObject({ state: 'failed', excerpt: 'Error: out of memory' })
  })

  test('without an error leads to a hint about the port', async () => {
    const session = startSession({ command: sh('exec sleep 60'), hintAfterMs: 1 })
    await session.until(/Still waiting\.\n/)
    expect(session.errors()).toBe(
      'sidecard dev: cannot reach http://127.0.0.1:9/. The command is running but does not listen there. Its code may wait for something while it loads, or it may listen elsewhere: let it use the port in PORT, or pass its URL with --url. Still waiting.\n',
    )
  })

  test('with an error is shown instead of a hint about the port', async () => {
    const command = sh('echo "Error: no database"; exec sleep 60')
    const session = startSession({ command, hintAfterMs: 150 })
    await session.until(/your command failed\n/)
    expect(session.errors()).toBe('sidecard dev: your command failed\n')
  })

  test('is shown in the workspace line by line, and at most 16,384 characters of each', async () => {
    const { session, workspace, say } = await start()
    say('one\ntw')
    await session.until(/one\n/)
    say('o\n')
    await session.until(/one\ntwo\n/)
    say('x'.repeat(200_001))
    await eventually(async () => {
      const shown: any[] = await workspace.get('console')
      expect(shown.map(({ stream, text }) => [stream, text])).toEqual([
        ['stdout', 'one'],
        ['stdout', 'two'],
        ['stdout', `${'x'.repeat(16_384)}…`],
      ])
    })
  })
})

const TRACES = {
  'app.py': `Traceback (most recent call last):\n  File "app.py", line 1, in main\n  File "app.py", line 2, in get\nKeyError: 'plan'`,
  'app.rb': "app.rb:2:in `call': undefined method 'plan' (NoMethodError)",
  'main.go': 'panic: no plan\n\ngoroutine 1 [running]:\nmain.get()\n\tmain.go:2 +0x1d',
  'index.php': 'PHP Fatal error:  Uncaught Exception: no plan in index.php:2',
  'app.ex': '** (KeyError) key :plan not found\n    app.ex:2: App.get/1',
  'App.java':
    'Exception in thread "main" java.lang.NullPointerException: no plan\n\tat App.get(App.java:2)',
}

/** Opens an issue, whose app prints a trace in pieces. @param delay when, after the response; null for before it */
async function failWith(
  file: keyof typeof TRACES,
  delay: number | null,
  { onTestFinished: onEnd }: Pick<TestContext, 'onTestFinished'>,
) {
  const cwd = temporaryFolder(onEnd)
  const url = `http://127.0.0.1:${await findFreePort()}/`
  writeFileSync(join(cwd, file), 'one\ntwo\n')
  writeFileSync(
    join(cwd, 'server.mjs'),
    `import { createServer } from 'node:http'
    const lines = ${JSON.stringify(TRACES[file].split('\n'))}
    createServer((request, response) => {
      const code = new URL(request.url, 'http://x').searchParams.get('code')
      if (code) return response.setHeader('content-type', 'application/json').end(JSON.stringify({ code }))
      if (${delay} === null) console.error(lines.join('\\n'))
      else lines.forEach((line, index) => setTimeout(() => console.error(line), ${delay} + 30 * index))
      response.writeHead(500).end()
    }).listen(process.env.PORT, '127.0.0.1')`,
  )
  const session = startSession({ url, command: [process.execPath, 'server.mjs'] }, { cwd, onEnd })
  await session.until(/connected /)
  const workspace = await openWorkspace(await session.workspaceUrl(), onEnd)
  return { session, workspace, exchangeId: (await workspace.openIssue()).exchangeId }
}

const FILES = Object.keys(TRACES) as (keyof typeof TRACES)[]

test.concurrent.for(FILES.flatMap((file) => [[file, null] as const, [file, 100] as const]))(
  'an exception in %s that is printed before or after (%s ms) the response is reported with its line, in the terminal and in the page',
  async ([file, delay], context) => {
    const { expect } = context
    const { session, workspace, exchangeId } = await failWith(file, delay, context)
    await session.until(/^sidecard dev: .* at .*\n/m)
    expect(session.errors()).toMatch(new RegExp(`^sidecard dev: .*plan.* at ${file}:2\\n`, 'm'))
    const lines = session.errors().match(/^sidecard dev: /gm)
    expect(lines).toHaveLength(delay === null ? 1 : 2)
    const location = { file, line: 2 }
    expect(await workspace.next('exception')).toMatchObject({ exchangeId, location })
  },
)

test.concurrent('an exception that is printed more than a second after the response is not attributed to the request', async (context) => {
  const { expect } = context
  const { session } = await failWith('app.rb', 1_200, context)
  await session.until(/NoMethodError/)
  expect(session.errors()).not.toContain(' at app.rb')
})
