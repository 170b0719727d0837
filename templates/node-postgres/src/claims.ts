import { postgresClaims } from 'sidecard/actions'
import type { Database } from './database.ts'

/** Where done actions are remembered. */
export const createClaims = (database: Database) =>
  postgresClaims((text, values) => database.query(text, values))
