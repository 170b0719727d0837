import { secretHeader, serverTiming, sidecard } from 'sidecard'
import { kvStore, payloadCache } from 'sidecard/cache'
import { fetchSidebar } from '../../_base/src/sidebar.ts'
import { createCustomers } from '../../workers/src/customers.ts'
import { type Env, envSchema } from './env.ts'

export const app = sidecard(envSchema, {
  header: { title: 'Customer' },
  auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
  instrument: serverTiming(),
  fetchData: (ctx) => fetchSidebar(ctx, createCustomers(ctx.env)),
  cache: payloadCache({
    store: (env: Env) => kvStore(env.PAYLOADS),
    ttlSeconds: 60,
    // For another hour, agents see the cached payload immediately while it is refreshed.
    staleSeconds: 3_600,
  }),
})
