import { defineConfig } from 'vitest/config'

/** From the packed tarball, with the package registry: `npm run e2e`. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    fileParallelism: false,
    // Removing four projects with their packages takes a busy machine more than the usual ten seconds.
    hookTimeout: 120_000,
  },
})
