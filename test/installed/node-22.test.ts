import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasRegistry, installed } from './project.ts'
import { root } from './root.ts'
import { runOrThrow, runProgram } from './run-program.ts'

test.skipIf(!hasRegistry)(
  'the suites of the framework, the client and the test service pass on Node 22',
  async () => {
    const folder = join(installed().folder, 'node-22')
    await runOrThrow(root, 'npm', ['install', '--prefix', folder, '--no-audit', 'node@22'])
    const node = join(folder, 'node_modules/.bin/node')
    expect((await runProgram(folder, node, ['--version'])).output).toMatch(/^v22\./)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const suites = ['app', 'builders', 'contract', 'client'].map((name) => `test/runtime/${name}/`)
    const args = [vitest, 'run', '--project', 'node', ...suites, 'test/tools/service/']
    const { exitCode, output } = await runProgram(root, node, args)
    expect(output).toMatch(/Tests +\d{4} passed/)
    expect(exitCode).toBe(0)
  },
  300_000,
)
