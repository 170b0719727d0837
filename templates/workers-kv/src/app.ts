import { secretHeader, sidecard } from 'sidecard'
import { kvStore, payloadCache } from 'sidecard/cache'
import { type Env, envSchema } from './env.ts'
import { fetchSidebar } from './sidebar.ts'

export const app = sidecard(envSchema, {
  header: { title: 'Customer' },
  auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
  fetchData: fetchSidebar,
  cache: payloadCache({
    store: (env: Env) => kvStore(env.PAYLOADS),
    ttlSeconds: 60,
    // For another hour, agents see the cached payload immediately while it is refreshed.
    staleSeconds: 3_600,
  }),
})
