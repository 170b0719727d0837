import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const path = process.env['DATABASE_PATH'] || 'customers.sqlite'

/** The database, after the migrations that had not run yet. */
export const database = new DatabaseSync(path, { timeout: 5_000 })

const folder = new URL('../../sql/migrations/', import.meta.url)
for (const [index, name] of readdirSync(folder).sort().entries()) {
  // Another process may migrate the same file. It waits here, and then sees the new version.
  database.exec('BEGIN IMMEDIATE')
  try {
    // SQLite stores one number for the application: the count of migrations that have run.
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version <= index) {
      database.exec(readFileSync(new URL(name, folder), 'utf8'))
      database.exec(`PRAGMA user_version = ${index + 1}`)
    }
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
