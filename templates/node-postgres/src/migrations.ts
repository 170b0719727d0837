import { readdir, readFile } from 'node:fs/promises'
import type { Database, Queries } from './database.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

/**
 * Only one process migrates at a time; others wait for its lock. A migration may
 * take longer than a query of the app.
 */
const PREPARE = `
  SET LOCAL statement_timeout = 0;
  SELECT pg_advisory_xact_lock(7374261);
  CREATE TABLE IF NOT EXISTS schema_migrations (
    name TEXT PRIMARY KEY,
    applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
  );
`

/**
 * Runs the migrations that have not run yet, in the order of their file names.
 * Each runs in a transaction, so a migration that fails changes nothing.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  const applied: string[] = []
  for (const name of await listMigrations()) {
    const statements = await readFile(new URL(name, FOLDER), 'utf8')
    const isNew = await database.transaction(async (transaction) => {
      await transaction.run(PREPARE)
      const known = await transaction.query('SELECT 1 FROM schema_migrations WHERE name = $1', [
        name,
      ])
      if (known.length > 0) return false
      await transaction.run(statements).catch((error: Error) => {
        throw new Error(`${name} failed and changed nothing: ${error.message}`, { cause: error })
      })
      await transaction.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name])
      return true
    })
    if (isNew) applied.push(name)
  }
  return applied
}

/** Returns the names of the migrations that have not run yet. */
export async function pendingMigrations(database: Queries): Promise<readonly string[]> {
  const names = await listMigrations()
  const tables = await database.query("SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL")
  if (tables.length === 0) return names
  const applied = await database.query<{ name: string }>('SELECT name FROM schema_migrations')
  return names.filter((name) => !applied.some((migration) => migration.name === name))
}

export function describePending(names: readonly string[]): string {
  const verb = names.length === 1 ? 'migration has' : 'migrations have'
  return `${names.length} ${verb} not run: ${names.join(', ')}. Run npm run migrate.`
}

async function listMigrations(): Promise<readonly string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
}
