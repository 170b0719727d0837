import { secretHeader, serverTiming, sidecard } from 'sidecard'
import { fetchSidebar } from '../../_base/src/sidebar.ts'
import { createCustomers } from './customers.ts'
import { envSchema } from './env.ts'

export const app = sidecard(envSchema, {
  header: { title: 'Customer' },
  auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
  instrument: serverTiming(),
  fetchData: (ctx) => fetchSidebar(ctx, createCustomers(ctx.env)),
})
