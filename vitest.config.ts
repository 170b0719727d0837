import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

const source = (path: string) => new URL(`src/${path}/index.ts`, import.meta.url).pathname

/** The tests import `sidecard` as a user does; it is the source, not a stale build. */
const alias = [
  { find: /^sidecard$/, replacement: new URL('src/index.ts', import.meta.url).pathname },
  { find: /^sidecard\/schema$/, replacement: source('contract') },
  { find: /^sidecard\/testing$/, replacement: source('desk') },
  {
    find: /^sidecard\/(node|client|emulator|check)$/,
    replacement: `${new URL('src/', import.meta.url).pathname}$1/index.ts`,
  },
]

/** What must hold wherever Fetch runs: these suites run on Node and on workerd. */
const portable = ['test/{contract,builders,app,client}/**/*.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'node',
          globalSetup: './test/helpers/build-workspace.ts',
          include: ['test/**/*.test.ts', 'templates/workers/test/*.test.ts'],
          exclude: ['test/workerd/**', 'test/browser/**', 'test/e2e/**'],
        },
      },
      {
        resolve: { alias },
        plugins: [cloudflareTest({ wrangler: { configPath: './test/workerd/wrangler.toml' } })],
        test: {
          name: 'workerd',
          include: [...portable, 'test/workerd/**/*.test.ts'],
          exclude: ['**/*.node.test.ts'],
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/helpers/global-setup.ts'],
          // One browser: files that run side by side only wait for each other.
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
})
