import { secretHeader, serverTiming, sidecard } from 'sidecard'
import { fetchSidebar } from '../../_base/src/sidebar.ts'
import { createCustomers } from './customers.ts'
import type { Database } from './database.ts'
import { envSchema } from './env.ts'

/** Creates the app. Tests replace the queries, to make one fail. */
export function createApp(database: Database, customers = createCustomers(database)) {
  return sidecard(envSchema, {
    header: { title: 'Customer' },
    auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
    instrument: serverTiming(),
    fetchData: (ctx) => fetchSidebar(ctx, customers),
  })
}
