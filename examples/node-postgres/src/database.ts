import pg from 'pg'

/** PostgreSQL, on a server or embedded. */
export interface Database {
  /** Values are bound as `$1`, `$2`, and never joined into the text. */
  query<Row>(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

let database: Database | undefined

/** Replaces the server with an embedded database. */
export function useDatabase(embedded: Database): void {
  database = embedded
}

export function getDatabase(): Database {
  database ??= connect()
  return database
}

function connect(): pg.Pool {
  const pool = new pg.Pool({
    connectionString: process.env['DATABASE_URL'],
    connectionTimeoutMillis: 2_000,
    statement_timeout: 2_000,
  })
  // The next query replaces a broken idle connection.
  return pool.on('error', ({ message }) => console.error(`database: ${message}`))
}
