import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkbench, type Workbench } from './workbench.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
let bench: Workbench

beforeAll(async () => {
  bench = await createWorkbench()
}, 300_000)
afterAll(() => bench.remove())

test('the suites of the framework, the client and the desk pass on Node 22', async () => {
  const { folder } = bench
  await bench.run(folder, 'npm', ['install', '--prefix', folder, '--no-audit', 'node@22'])
  const node = join(folder, 'node_modules/.bin/node')
  expect((await bench.run(folder, node, ['--version'])).output).toMatch(/^v22\./)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const suites = ['app', 'builders', 'contract', 'client', 'desk', 'node'].map(
    (layer) => `test/${layer}/`,
  )
  const args = [vitest, 'run', '--project', 'node', ...suites]
  const { exitCode, output } = await bench.run(root, node, args)
  expect(output).toMatch(/Tests +\d{4} passed/)
  expect(exitCode).toBe(0)
}, 300_000)
