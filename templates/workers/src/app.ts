import { secretHeader, serverTiming, sidecard } from 'sidecard'
import { actions } from 'sidecard/actions'
import { followUpTask } from '../../../recipes/follow-up-task/src/follow-up-task.ts'
import { fetchSidebar } from '../../_base/src/sidebar.ts'
import { signIn } from '../../_base/src/sign-in.ts'
import { claims } from './claims.ts'
import { createCustomers } from './customers.ts'
import { type Env, envSchema } from './env.ts'

export const app = sidecard(envSchema, {
  header: { title: 'Customer' },
  auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
  instrument: serverTiming(),
  fetchData: (ctx) => fetchSidebar(ctx, createCustomers(ctx.env)),
  actions: actions<Env>({
    list: [followUpTask],
    publicUrl: (env) => env.PUBLIC_URL,
    secret: { binding: 'SIDECARD_ACTION_SECRET' },
    agent: signIn,
    claims,
  }),
})
