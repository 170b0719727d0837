import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { CREATE_RECEIPTS_TABLE } from 'sidecard/actions'

/** A PostgreSQL server, or PostgreSQL embedded in this process. */
export interface Database {
  /** Values are bound as `$1`, `$2`, and never inserted into the text. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Opens the database at a URL. Without a URL, it is embedded and has 5,000 accounts. */
export async function openDatabase(url?: string): Promise<Database> {
  return url ? connect(url) : embed()
}

/** Creates the tables and 5,000 accounts on a server. It can run again without effect. */
export async function seedDatabase(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(await readSql())
  await client.end()
}

function connect(connectionString: string): Database {
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 2_000,
  })
  // The next query replaces a broken idle connection.
  pool.on('error', ({ message }) => process.stderr.write(`database: ${message}\n`))
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await pool.query(sql, [...values])).rows as Row[],
    close: () => pool.end(),
  }
}

async function embed(): Promise<Database> {
  const postgres = new PGlite()
  await postgres.exec(await readSql())
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await postgres.query<Row>(sql, [...values])).rows,
    close: () => postgres.close(),
  }
}

async function readSql(): Promise<string> {
  const files = ['schema.sql', 'seed.sql'].map((name) => new URL(`../../${name}`, import.meta.url))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return [CREATE_RECEIPTS_TABLE, ...texts].join(';\n')
}
