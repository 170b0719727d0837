import { healthCheck } from 'sidecard'
import { app } from './app.ts'
import { ping } from './customers.ts'
import type { Env } from './env.ts'

/** The endpoint at `/`, and a health check for uptime tools at `/health`. */
export default app.route(
  '/health',
  healthCheck<Env>({ sources: { database: ({ DB }) => ping(DB) } }),
)
