import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { ENTRIES } from './scripts/package-entries.ts'
import { SEED } from './test/helpers/draw.ts'
import { FileOrder } from './test/helpers/file-order.ts'

/** The tests import `sidecard` as a user does; it is the source, not a stale build. */
const alias = ENTRIES.map(([entry, file]) => ({
  find: new RegExp(`^${entry}$`),
  replacement: new URL(file, import.meta.url).pathname,
}))

/** Suites of the code that runs wherever Fetch does. They run on Node and on workerd. */
const portable = ['test/runtime/{contract,builders,app,actions,cache,client}/**/*.test.ts']

/** Suites that take long, some with drawn cases: `npm run test:slow`. */
const slow = ['test/**/*.slow.test.ts']

/** The widest matrices. The weekly workflow runs them, and every case of the slow suites: `npm run test:weekly`. */
const weekly = ['test/**/*.weekly.test.ts']

/** Suites that import whole apps, start programs or change the process. */
const isolated = [
  'test/{runtime/node,tools/cli}/**/*.test.ts',
  'test/{docs,examples,mutation,recipes,runtimes,templates}/**/*.test.ts',
]

export default defineConfig({
  resolve: { alias },
  test: {
    // The date also draws the order of the tests and the values of properties, so a run of CI can be
    // repeated: DRAW=2026-11-28 npx vitest run
    sequence: { shuffle: true, sequencer: FileOrder, ...(SEED !== null && { seed: SEED }) },
    provide: { seed: SEED },
    setupFiles: ['./test/helpers/seed-properties.ts'],
    // By default one core stays free, which is half of a small machine.
    maxWorkers: '100%',
    // Concurrent tests of a file mostly wait. The default is five.
    maxConcurrency: 12,
    // The default of five seconds is too short for a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The default is one second.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          globalSetup: './test/helpers/build-workspace.ts',
          setupFiles: ['./test/helpers/restore-globals.ts'],
          // The test files of a worker share their imports, which halves the time.
          isolate: false,
          include: ['test/**/*.test.ts', 'templates/workers/test/*.test.ts'],
          exclude: [...slow, ...weekly, ...isolated, 'test/{workerd,browser,installed,site}/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          globalSetup: './test/helpers/build-workspace.ts',
          include: isolated,
          exclude: [...slow, ...weekly],
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          globalSetup: './test/helpers/build-package.ts',
          include: slow,
        },
      },
      {
        extends: true,
        test: {
          name: 'weekly',
          globalSetup: './test/helpers/build-package.ts',
          include: [...slow, ...weekly],
          env: { DRAW: 'all' },
          provide: { seed: null },
        },
      },
      {
        extends: true,
        plugins: [cloudflareTest({ wrangler: { configPath: './test/workerd/wrangler.toml' } })],
        test: {
          name: 'workerd',
          // One runtime for all files, as above.
          isolate: false,
          include: [...portable, 'test/workerd/**/*.test.ts'],
          exclude: [...slow, ...weekly, '**/*.node.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          exclude: slow,
          globalSetup: ['test/browser/helpers/global-setup.ts'],
        },
      },
    ],
  },
})
