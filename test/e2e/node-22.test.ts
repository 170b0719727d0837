import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestProject, type TestProject } from './test-project.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
let base: TestProject

beforeAll(async () => {
  base = await createTestProject()
}, 300_000)
afterAll(() => base.remove())

test('the suites of the framework, the client and the test service pass on Node 22', async () => {
  const { folder } = base
  await base.run(folder, 'npm', ['install', '--prefix', folder, '--no-audit', 'node@22'])
  const node = join(folder, 'node_modules/.bin/node')
  expect((await base.run(folder, node, ['--version'])).output).toMatch(/^v22\./)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const suites = ['app', 'builders', 'contract', 'client', 'service', 'node'].map(
    (layer) => `test/${layer}/`,
  )
  const args = [vitest, 'run', '--project', 'node', ...suites]
  const { exitCode, output } = await base.run(root, node, args)
  expect(output).toMatch(/Tests +\d{4} passed/)
  expect(exitCode).toBe(0)
}, 300_000)
