import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { findFreePort } from '../../helpers/free-port.ts'

const repository = new URL('../../../', import.meta.url).pathname

const WORKER = `import { noAuth, section, sidecard, text } from 'sidecard'

interface Account { readonly plan: string }

// Types and comments above move every line of the bundle.
function findAccount(id: string | undefined): Account {
  throw new TypeError(\`no account \${id ?? 'at all'}\`)
}

export default sidecard<{ SIDECARD_DEV?: string }>({
  header: { title: 'Billing' },
  auth: noAuth(),
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  fetchData: ({ params }) => [
    text({ label: 'Plan', value: 'Pro' }),
    section('Account', () => [text({ label: 'Plan', value: findAccount(params.account_id).plan })]),
    section('Wrong', () => [text({ label: '', value: 1 as never })]),
  ],
})
`

/** Starts wrangler in its own process group, and ends the group with the test. */
async function startWrangler(project: string, args: readonly string[]): Promise<string> {
  const port = await findFreePort()
  const wrangler = spawn(
    process.execPath,
    [
      join(repository, 'node_modules/wrangler/bin/wrangler.js'),
      'dev',
      ...args,
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--inspector-port=0',
    ],
    {
      cwd: project,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
    },
  )
  onTestFinished(async () => {
    const exit = once(wrangler, 'exit')
    try {
      process.kill(-(wrangler.pid ?? 0), 'SIGKILL')
      await exit
    } catch {
      // It has already exited.
    }
  })
  let output = ''
  for (const stream of [wrangler.stdout, wrangler.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  await expect.poll(() => output, { timeout: 30_000 }).toContain('Ready on')
  return `http://127.0.0.1:${port}/`
}

function createProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'sidecard-worker-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  mkdirSync(join(project, 'src'))
  writeFileSync(join(project, 'src/index.ts'), WORKER)
  const config = {
    name: 'stack',
    main: 'src/index.ts',
    compatibility_date: '2026-10-01',
    alias: { sidecard: join(repository, 'src/index.ts') },
  }
  writeFileSync(join(project, 'wrangler.json'), JSON.stringify(config))
  return project
}

test('the stack of a real Worker is mapped to its source, and only sent with the variable', async () => {
  const project = createProject()
  const url = await startWrangler(project, ['--var', 'SIDECARD_DEV:1'])
  const emulator = createEmulator({ projectDir: project, timeoutMs: 20_000 })
  await emulator.apps.create({ name: 'Worker', url })
  const { widgets } = await emulator.issues.open('iss_1042')
  const [view] = widgets
  expect(view?.outcome).toBe('failed')
  expect(view?.failures).toMatchObject([
    {
      kind: 'section_failed',
      section: 'Account',
      error: {
        name: 'TypeError',
        message: 'no account acc_northwind',
        stack: expect.stringContaining('at findAccount (src/index.ts:7:9)'),
        location: { file: 'src/index.ts', line: 7, column: 9 },
      },
    },
    {
      kind: 'section_failed',
      section: 'Wrong',
      // The error is thrown in a builder, so the first own frame is its call.
      error: { location: { file: 'src/index.ts', line: 17 } },
    },
  ])
  expect(JSON.stringify(view)).not.toContain('.wrangler')

  const silent = await startWrangler(createProject(), [])
  await emulator.apps.create({ name: 'Silent', url: silent })
  const opened = await emulator.issues.open('iss_1042')
  expect(opened.widgets[1]).toMatchObject({
    outcome: 'failed',
    failures: [{ error: null }, { error: null }],
  })
}, 90_000)
