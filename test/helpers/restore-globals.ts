import { afterAll, vi } from 'vitest'

/** The files of a worker share its globals: each leaves them as they were. */
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
