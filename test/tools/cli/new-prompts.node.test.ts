import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { bin, temporaryFolder } from '../../helpers/dev-command.ts'

/** Runs `sidecard new` in a terminal, which `script` provides. */
function startInTerminal(folder: string, ...args: readonly string[]) {
  const program = [process.execPath, bin, 'new', '--no-install', '--no-git', ...args].join(' ')
  // The terminal of `script` has no columns if its own input is not a terminal.
  const command = `stty cols 80; exec ${program}`
  const env = { ...process.env, NO_COLOR: '1', TERM: 'xterm' }
  Reflect.deleteProperty(env, 'CI')
  const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: folder, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const exit = once(child, 'exit') as Promise<[number | null]>
  const until = async (text: string) => {
    while (!output.includes(text)) {
      // oxlint-disable-next-line no-await-in-loop -- one chunk after another
      await once(child.stdout, 'data')
    }
  }
  return { child, exit, until, output: () => output }
}

test('asks for a name, a host and a data source, and creates the project', async () => {
  const folder = temporaryFolder()
  const { child, exit, until } = startInTerminal(folder)
  await until('Project name?')
  child.stdin.write('my-card\r')
  await until('Where will it run?')
  child.stdin.write('\r')
  await until('Where is the data?')
  child.stdin.write('\r')
  expect(await exit).toEqual([0, null])
  expect(readdirSync(folder)).toEqual(['my-card'])
}, 15_000)

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
  ['Escape', '\u001B'],
])(
  '%s at a prompt cancels without writing files',
  async (_name, key) => {
    const folder = temporaryFolder()
    const { child, exit, until, output } = startInTerminal(folder)
    await until('Project name?')
    child.stdin.write(key)
    expect(await exit).toEqual([130, null])
    expect(output()).toContain('Canceled. No files were written.')
    expect(readdirSync(folder)).toEqual([])
  },
  15_000,
)

test('ends cleanly at the end of the input', async () => {
  const folder = temporaryFolder()
  const { child, exit, until, output } = startInTerminal(folder)
  await until('Project name?')
  child.stdin.end()
  expect(await exit).toEqual([130, null])
  expect(output()).toContain('Canceled. No files were written.')
  expect(output()).not.toMatch(/unsettled|Error/)
  expect(readdirSync(folder)).toEqual([])
}, 15_000)
