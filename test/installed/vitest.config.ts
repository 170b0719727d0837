import { defineConfig } from 'vitest/config'
import { FileOrder } from '../helpers/file-order.ts'

/** From the packed package, with the package registry: `npm run test:installed`. */
export default defineConfig({
  test: {
    root: new URL('../../', import.meta.url).pathname,
    include: ['test/installed/*.test.ts'],
    sequence: { sequencer: FileOrder },
    globalSetup: ['./test/installed/setup.ts'],
    // Most of these files only wait for their turn.
    maxWorkers: 8,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
