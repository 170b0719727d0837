import { healthCheck } from 'sidecard'
import { app } from './app.ts'
import { createCustomers } from './customers.ts'
import type { Env } from './env.ts'

/** The endpoint at `/`, and a health check for uptime tools at `/health`. */
export default app.route(
  '/health',
  healthCheck<Env>({
    sources: { customers: (env, signal) => createCustomers(env).byId('health', signal) },
    logger: console,
  }),
)
