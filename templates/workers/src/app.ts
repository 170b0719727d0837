import { secretHeader, sidecard } from 'sidecard'
import { envSchema } from './env.ts'
import { fetchSidebar } from './sidebar.ts'

export const app = sidecard(envSchema, {
  header: { title: 'Customer' },
  auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
  fetchData: fetchSidebar,
})
