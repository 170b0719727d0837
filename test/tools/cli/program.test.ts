import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../../src/tools/cli/commands/index.ts'
import { EXIT_CODES } from '../../../src/tools/cli/exit-codes.ts'
import { usesColor } from '../../../src/tools/cli/io.ts'
import { unsupportedNodeMessage } from '../../../src/tools/cli/node-version.ts'
import { reportInternalError } from '../../../src/tools/cli/program.ts'
import { cli } from '../../helpers/cli.ts'

test.each([
  ['nothing', []],
  ['an unknown command', ['chekc']],
  ['an unknown option', ['--hlep']],
  ['an unknown option of a command', ['render', '--wdith', '30', 'x']],
  ['a command without what it needs', ['record']],
])('responds to %s with usage on standard error and exit code 2', async (_name, args) => {
  const { exitCode, stdout, stderr } = await cli(args)
  expect(exitCode).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).not.toBe('')
})

test.each([
  [['chekc'], 'Did you mean check?'],
  [['--versoin'], 'Did you mean --version?'],
  [['render', '--wdith', '30', 'x'], '--width'],
])('suggests a command for %j', async (args, hint) => {
  expect((await cli(args)).stderr).toContain(hint)
})

test('prints its version', async () => {
  const { version } = JSON.parse(
    await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  expect((await cli(['--version'])).stdout).toBe(`${version}\n`)
})

test('lists every command', async () => {
  const { exitCode, stdout } = await cli(['--help'])
  expect(exitCode).toBe(0)
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length))
  for (const [name, { summary }] of COMMANDS)
    expect(stdout).toContain(`${name.padEnd(width)}  ${summary}`)
})

test.each([...COMMANDS.keys()])(
  'the help of %s ends with examples and fits 60 columns',
  async (name) => {
    const { exitCode, stdout } = await cli([name, '--help'], { columns: 60 })
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`Usage: sidecard ${name}`)
    const [, examples = ''] = stdout.split('\nExamples:\n')
    for (const line of examples.trimEnd().split('\n')) expect(line).toMatch(/^ {2}\S| {4}-/)
    expect(examples).toContain(`sidecard ${name}`)
    expect(stdout).toMatch(/^Exit codes: 0 /m)
    expectToFit(stdout, 60)
    expect(await cli(['help', name], { columns: 60 })).toEqual({ exitCode, stdout, stderr: '' })
  },
)

test.each([...COMMANDS.keys()])('%s suggests the option that was misspelled', async (name) => {
  const { stdout } = await cli([name, '--help'])
  const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(
    ([, option = '']) => option,
  )
  expect(options).toContain('--help')
  const required = name === 'record' ? ['--output', '-'] : []
  for (const option of options) {
    const misspelled = `${option.slice(0, 4)}x${option.slice(4)}`
    // oxlint-disable-next-line no-await-in-loop -- each option is its own case
    const { exitCode, stderr } = await cli([name, ...required, misspelled])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(option)])
  }
})

test('the main help fits 60 columns', async () => {
  expectToFit((await cli(['--help'], { columns: 60 })).stdout, 60)
})

test.each([
  ['the list of rules', ['check', '--list'], 0],
  ['the explanation of a rule', ['check', '--explain', 'card-nested'], 0],
  ['the report of a check', ['check', 'http://127.0.0.1:1'], 3],
])('%s fits 60 columns', async (_what, args, expected) => {
  const { exitCode, stdout } = await cli(args, { columns: 60 })
  expect(exitCode).toBe(expected)
  expectToFit(stdout, 60)
})

function expectToFit(text: string, columns: number) {
  // A path is to be copied, so it is not broken.
  const lines = text.split('\n').filter((line) => !/^ *\S+\.md#\S+$/.test(line))
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
}

test.each([
  ['18.20.0', false],
  ['20.20.2', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['24.21.0', true],
])('Node %s is new enough: %s', (version, isEnough) => {
  const message = unsupportedNodeMessage(version)
  expect(message === undefined).toBe(isEnough)
  expect(message?.split('\n') ?? ['one line']).toHaveLength(1)
})

test.each([
  [true, {}, true],
  [undefined, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [undefined, { FORCE_COLOR: '1' }, true],
  [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
])('with a terminal %s and %j, color is %s', (isTTY, env, expected) => {
  expect(usesColor(isTTY, env)).toBe(expected)
})

test('an internal error is one line, and with DEBUG=sidecard also its stack', async () => {
  const io = (env: Record<string, string>) => {
    let stderr = ''
    return {
      env,
      stderr: { write: (text: string) => (stderr += text) },
      written: () => stderr,
    }
  }
  const error = new TypeError('canary')
  const quiet = io({})
  reportInternalError(error, 'dev', quiet as never)
  expect(quiet.written()).toBe(
    'sidecard dev: internal error (TypeError). Please report it. DEBUG=sidecard shows the stack.\n',
  )
  for (const DEBUG of ['sidecard', 'sidecard:*', '*', 'x,sidecard']) {
    const loud = io({ DEBUG })
    reportInternalError(error, 'dev', loud as never)
    expect(loud.written()).toMatch(/^sidecard dev: internal error.*\nTypeError: canary\n +at /)
  }
})

test('documents every command', async () => {
  const docs = await readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
  const documented = [...docs.matchAll(/^Usage: sidecard (\w+)/gm)].map(([, name]) => name)
  expect(documented).toEqual([...COMMANDS.keys()])
})

test('documents every exit code', async () => {
  const docs = await readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
  const documented = [...docs.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code))
  expect(documented).toEqual(Object.values(EXIT_CODES))
})
