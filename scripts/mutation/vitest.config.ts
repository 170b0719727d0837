import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import repository from '../../vitest.config.ts'
import { readPlan, runFolder } from './plan.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { sources, slowTestMs } = readPlan(runFolder())

/** One test file in one process, with the mutants in the source. */
export default defineConfig({
  root,
  resolve: repository.resolve ?? {},
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id) => sources[relative(root, id)] ?? null,
    },
  ],
  test: {
    globalSetup: './test/helpers/build-workspace.ts',
    include: [process.env['MUTATION_TEST'] ?? ''],
    runner: './scripts/mutation/runner.ts',
    maxWorkers: 1,
    // A mutant that makes a test wait for ever must not wait long.
    testTimeout: slowTestMs + 1_000,
    cache: false,
  },
})
