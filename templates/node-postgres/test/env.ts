import { after } from 'node:test'
import { openDatabase } from '../src/database.ts'

/** The environment variables of the tests. */
export const env = {
  SIDECARD_SECRET: 'test',
}

/** The embedded PostgreSQL, or the server at DATABASE_URL after `npm run migrate -- --seed`. */
export const database = await openDatabase({ DATABASE_URL: process.env['DATABASE_URL'] })
after(() => database.close())
