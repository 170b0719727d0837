/** The settings of `startWorker()` for a Worker that only a test reaches, on a free port. */
export const WORKER_DEV = {
  server: { hostname: '127.0.0.1', port: 0 },
  inspector: false,
  logLevel: 'none',
  persist: false,
  watch: false,
} as const
