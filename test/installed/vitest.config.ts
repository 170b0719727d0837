import { defineConfig } from 'vitest/config'

/** From the packed package, with the package registry: `npm run test:installed`. */
export default defineConfig({
  test: {
    root: new URL('../../', import.meta.url).pathname,
    include: ['test/installed/*.test.ts'],
    globalSetup: ['./test/installed/setup.ts'],
    // The pages name the ports 8787 and 4310.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
