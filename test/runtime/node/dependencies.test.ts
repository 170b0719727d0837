import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { collectOutput } from '../../helpers/collect-output.ts'
import { type Behavior, compareAll, DEPENDENCIES } from '../../helpers/dependency-apps.ts'

const SERVER = new URL('../../fixtures/dependency-server.ts', import.meta.url).pathname
const ON_CLOSE = 'with code 1 if something was abandoned or `onClose` failed'

const pages = globSync('docs/**/*.md').map((page) => readFileSync(page, 'utf8'))

test.each([...Object.values(DEPENDENCIES).map(({ sentence }) => sentence), ON_CLOSE])(
  'the documentation says what the matrix proves: %s',
  (sentence) => {
    expect(pages.some((page) => page.includes(sentence))).toBe(true)
  },
)

/** Starts the server of the matrix. */
async function start(...args: readonly string[]) {
  const child = spawn('node', [SERVER, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collectOutput(child)
  const [, port] = await output.until(/(\d+)\n/)
  return { child, output, origin: `http://127.0.0.1:${port}` }
}

test('behind serve() in a child process, each dependency costs only itself', async () => {
  const { child, origin } = await start()
  try {
    const { shown, documented } = await compareAll((dependency, behavior) => {
      const app = `${origin}/${dependency} ${behavior}`.replaceAll(' ', '-')
      return (path, init) => fetch(path.startsWith('?') ? app + path : `${app}/${path}`, init)
    })
    expect(shown).toEqual(documented)
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    // The audit record that hangs was abandoned.
    expect(await exit).toEqual([1, null])
  } finally {
    child.kill('SIGKILL')
  }
})

const LATE = 'TimeoutError: Timed out after 200 ms (onCloseTimeoutMs).'

test.concurrent.each<[Behavior, number, string]>([
  ['hangs', 1, LATE],
  ['throws', 1, 'Error: down'],
  ['returns garbage', 0, ''],
  ['is late', 1, LATE],
])('an onClose that %s ends the process with code %i', async (behavior, code, message) => {
  const { child, output } = await start(behavior)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exit).toEqual([code, null])
  expect(output.text()).toContain(message === '' ? '' : `onClose failed: ${message}`)
})
