import { d1Claims } from 'sidecard/actions'
import type { Env } from './env.ts'

/** Where done actions are remembered. KV cannot decide which of two clicks was first, D1 can. */
export const claims = (env: Pick<Env, 'CLAIMS'>) => d1Claims(env.CLAIMS)
