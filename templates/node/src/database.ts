import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Env } from './env.ts'

export type Database = DatabaseSync

/** Opens the database file, or one in memory. Runs new migrations, and adds a few customers. */
export async function openDatabase({ DATABASE_PATH }: Partial<Env> = {}): Promise<Database> {
  const database = new DatabaseSync(DATABASE_PATH ?? ':memory:', { timeout: 5_000 })
  migrate(database)
  database.exec(read('seed.sql'))
  return database
}

/** Fails if the database cannot be queried. */
export async function checkDatabase(database: Database): Promise<void> {
  database.prepare('SELECT 1 FROM customers LIMIT 1').get()
}

/** Runs the migrations that have not run yet, in the order of their file names. */
function migrate(database: Database): void {
  const names = readdirSync(new URL('../migrations/', import.meta.url)).sort()
  for (const [index, name] of names.entries()) {
    // Another process may migrate the same file. It waits here, and then sees the new version.
    database.exec('BEGIN IMMEDIATE')
    try {
      // SQLite stores one number for the application: the count of migrations that have run.
      const version = database.prepare('PRAGMA user_version').get()?.['user_version']
      if (Number(version) <= index) {
        database.exec(read(`migrations/${name}`))
        database.exec(`PRAGMA user_version = ${index + 1}`)
      }
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }
}

function read(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
}
