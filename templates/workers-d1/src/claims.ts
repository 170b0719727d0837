import { d1Claims } from 'sidecard/actions'
import type { Env } from './env.ts'

/** Where done actions are remembered, next to the customers. */
export const claims = (env: Pick<Env, 'DB'>) => d1Claims(env.DB)
