import { actions } from 'sidecard/actions'
import type { Env } from './env.ts'
import { receipts } from './receipts.ts'

/** The option `actions` of sidecard(): all actions, with one sign-in and one store of receipts. */
export const appActions = actions<Env>({
  list: [],
  publicUrl: (env) => env.PUBLIC_URL,
  secret: { binding: 'SIDECARD_ACTION_SECRET' },
  // During development and in tests, there is an agent.
  signIn: () => {
    throw new Error(
      'Choose a sign-in in src/actions.ts: see node_modules/sidecard/docs/guides/sign-in.md.',
    )
  },
  receipts,
})
