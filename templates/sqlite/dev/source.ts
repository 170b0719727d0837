/**
 * A database in memory with a few customers, for development and tests, unless
 * DATABASE_PATH is set. Production does not contain this file.
 */
import { readFileSync } from 'node:fs'

const path = (process.env['DATABASE_PATH'] ||= ':memory:')
const { database } = await import('../src/database.ts')
if (path === ':memory:') {
  database.exec(readFileSync(new URL('../../sql/dev/seed.sql', import.meta.url), 'utf8'))
}

export { database }
