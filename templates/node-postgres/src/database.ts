import { readdir, readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

/** A PostgreSQL server, or PostgreSQL embedded in this process. */
export interface Database {
  /** Values are bound as `$1`, `$2`, and never inserted into the text. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Runs a file of statements, such as a migration. */
  runFile(name: string): Promise<void>
  close(): Promise<void>
}

/** Opens the database at a URL. Without a URL, it is embedded and has a few customers. */
export async function openDatabase(url?: string): Promise<Database> {
  if (url) return connect(url)
  const embedded = embed(new PGlite())
  await migrate(embedded)
  await embedded.runFile('seed.sql')
  return embedded
}

/** Runs all migrations in the order of their file names. They can run repeatedly. */
export async function migrate(database: Database): Promise<void> {
  const names = await readdir(new URL('../migrations/', import.meta.url))
  for (const name of names.sort()) await database.runFile(`migrations/${name}`)
}

function connect(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 2_000,
  })
  // The next query replaces a broken idle connection.
  pool.on('error', ({ message }) => console.error(`database: ${message}`))
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await pool.query(sql, [...values])).rows as Row[],
    runFile: async (name) => void (await pool.query(await read(name))),
    close: () => pool.end(),
  }
}

function embed(postgres: PGlite): Database {
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await postgres.query<Row>(sql, [...values])).rows,
    runFile: async (name) => void (await postgres.exec(await read(name))),
    close: () => postgres.close(),
  }
}

function read(name: string): Promise<string> {
  return readFile(new URL(`../${name}`, import.meta.url), 'utf8')
}
