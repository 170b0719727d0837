import { defineConfig } from 'vitest/config'

/** From the packed tarball, with the package registry: `npm run e2e`. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    fileParallelism: false,
    // Removing what was installed takes its time, too.
    hookTimeout: 300_000,
  },
})
