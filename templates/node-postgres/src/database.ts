import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

/** PostgreSQL: a server, or the one embedded in this process. */
export interface Database {
  /** Values are bound as `$1`, `$2`, never joined into the text. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Runs a file of statements, such as a migration. */
  runFile(name: string): Promise<void>
  close(): Promise<void>
}

/** Opens the database of `DATABASE_URL`; without one, an embedded database with a few customers. */
export async function openDatabase(url = process.env['DATABASE_URL']): Promise<Database> {
  if (url) return connect(url)
  if (process.env['NODE_ENV'] === 'production') throw new Error('DATABASE_URL is not set.')
  const embedded = embed(new PGlite())
  await embedded.runFile('migrations/0001_customers.sql')
  await embedded.runFile('seed.sql')
  return embedded
}

function connect(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 2_000,
  })
  // A connection that breaks while nobody uses it is replaced at the next query.
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
