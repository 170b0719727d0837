import { after } from 'node:test'
import { openDatabase } from '../src/database.ts'

/** The environment variables of the tests. */
export const env = {
  SIDECARD_SECRET: 'test',
}

/** A database in memory, with the migrations and the seed of the development database. */
export const database = await openDatabase()
after(() => database.close())
