import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { Env } from './env.ts'
import { describePending, migrate, pendingMigrations } from './migrations.ts'

/** A connection of a PostgreSQL server, or of PostgreSQL embedded in this process. */
export interface Queries {
  /** Values are bound as `$1`, `$2`, and never inserted into the text. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
}

export interface Transaction extends Queries {
  /** Runs the statements of a file. */
  run(statements: string): Promise<unknown>
}

export interface Database extends Queries {
  /** Commits what the function did, or reverts it if the function fails. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** Opens the database at a URL. Without a URL, it is embedded and has a few customers. */
export async function openDatabase({ DATABASE_URL }: Partial<Env> = {}): Promise<Database> {
  if (DATABASE_URL) return connect(DATABASE_URL)
  const embedded = embed(new PGlite())
  await migrate(embedded)
  await seed(embedded)
  return embedded
}

/** Adds a few customers. */
export async function seed(database: Database): Promise<void> {
  const statements = await readFile(new URL('../seed.sql', import.meta.url), 'utf8')
  await database.transaction((transaction) => transaction.run(statements))
}

/** Fails if the database cannot be queried or has pending migrations. */
export async function checkDatabase(database: Database): Promise<void> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0) throw new Error(describePending(pending))
}

function connect(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 2_000,
  })
  // The next query replaces a broken idle connection.
  pool.on('error', ({ message }) => console.error(`database: ${message}`))
  const database: Database = {
    query: <Row>(sql: string, values?: readonly unknown[]) =>
      queryWith<Row>(pool, sql, values).catch((error) => explain(error, database)),
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        const result = await work({
          query: (sql, values) => queryWith(client, sql, values),
          run: (statements) => client.query(statements),
        })
        await client.query('COMMIT')
        client.release()
        return result
      } catch (error) {
        // Closing the connection reverts the transaction, even if the server is gone.
        client.release(true)
        throw error
      }
    },
    close: () => pool.end(),
  }
  return database
}

async function queryWith<Row>(
  client: pg.Pool | pg.ClientBase,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await client.query(sql, [...values])).rows as Row[]
}

/** The codes of a schema, a table and a column that do not exist. */
const UNDEFINED_CODES = ['3F000', '42P01', '42703']

/** Adds the pending migrations to the error of a query, which only names the missing table. */
async function explain(error: Error & { code?: string }, database: Database): Promise<never> {
  if (!UNDEFINED_CODES.includes(error.code ?? '')) throw error
  const pending = await pendingMigrations(database)
  if (pending.length === 0) throw error
  throw new Error(`${error.message}. ${describePending(pending)}`, { cause: error })
}

function embed(postgres: PGlite): Database {
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await postgres.query<Row>(sql, [...values])).rows,
    transaction: async (work) =>
      postgres.transaction((transaction) =>
        work({
          query: async <Row>(sql: string, values: readonly unknown[] = []) =>
            (await transaction.query<Row>(sql, [...values])).rows,
          run: (statements) => transaction.exec(statements),
        }),
      ),
    close: () => postgres.close(),
  }
}
