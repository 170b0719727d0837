/**
 * A database in memory with a few customers, for development and tests.
 * Production does not contain this file.
 */
import { readFileSync } from 'node:fs'

process.env['DATABASE_PATH'] ||= ':memory:'
const { database } = await import('../src/database.ts')
database.exec(readFileSync(new URL('../../sql/dev/seed.sql', import.meta.url), 'utf8'))

export { database }
