import { memoryClaims } from 'sidecard/actions'
import type { Database } from './database.ts'

/**
 * Where done actions are remembered: in the memory of this process. Links from before a restart
 * count as expired. If the app runs in several processes, use redisClaims() or postgresClaims():
 * otherwise, each of them could do an action.
 */
export const createClaims = (_database: Database) => memoryClaims()
