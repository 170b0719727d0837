import { errorMessage } from '../internal/error-message.ts'
import { isArray, readProperty } from '../internal/hostile-values.ts'
import { hasMethods, invalidOption } from '../internal/read-options.ts'
import {
  FILTERS,
  MAX_LAST,
  nowSeconds,
  parseReceipt,
  readFilter,
  type Receipt,
  type Receipts,
} from './receipts.ts'

/**
 * The statements that create the table of `postgresReceipts()`. `d1Receipts()` and
 * `sqliteReceipts()` run them when needed.
 *
 * @example
 * await pool.query(RECEIPTS_TABLE)
 */
export const RECEIPTS_TABLE = `CREATE TABLE IF NOT EXISTS sidecard_receipts (
  id TEXT PRIMARY KEY,
  intent TEXT NOT NULL,
  owner TEXT NOT NULL,
  state TEXT NOT NULL,
  organization TEXT,
  account TEXT,
  requester TEXT,
  issue TEXT,
  started_ms BIGINT NOT NULL,
  keep_until_seconds BIGINT NOT NULL,
  receipt TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS sidecard_receipts_intent ON sidecard_receipts (intent, started_ms);
CREATE INDEX IF NOT EXISTS sidecard_receipts_organization ON sidecard_receipts (organization)`

const NAMES =
  'id intent owner state organization account requester issue started_ms keep_until_seconds receipt'
const COLUMNS = NAMES.split(' ')
const TABLE = 'sidecard_receipts'
const REPLACED = `${TABLE}.state = 'not_done' OR ${TABLE}.keep_until_seconds <= $12`

// A single statement writes the receipt or returns the existing one: between two statements,
// another confirmation could release it.
const BEGIN = `INSERT INTO sidecard_receipts (${COLUMNS.join(', ')})
VALUES (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})
ON CONFLICT (id) DO UPDATE SET ${COLUMNS.slice(1).map(replace).join(', ')}
RETURNING receipt`
const FIND = `SELECT receipt FROM sidecard_receipts WHERE id = $1 AND keep_until_seconds > $2`
const LAST = `SELECT receipt FROM sidecard_receipts WHERE intent = $1 AND keep_until_seconds > $2
ORDER BY started_ms DESC LIMIT ${MAX_LAST}`
const SETTLE = `UPDATE sidecard_receipts SET state = $3, receipt = $4
WHERE id = $1 AND owner = $2 AND (state IN ('running', 'unknown') OR state = $3 OR $3 = 'done')
RETURNING id`
const RELEASE = `DELETE FROM sidecard_receipts
WHERE id = $1 AND owner = $2 AND state IN ('running', 'unknown')`
const CLEAN_UP = `DELETE FROM sidecard_receipts WHERE keep_until_seconds <= $1`

function replace(name: string): string {
  return `${name} = CASE WHEN ${REPLACED} THEN excluded.${name} ELSE ${TABLE}.${name} END`
}

type Value = string | number | null

/** Runs a statement, and returns its rows. */
type Query = (text: string, values: readonly Value[]) => PromiseLike<readonly unknown[]>

function createSqlReceipts(query: Query): Receipts {
  const read = (row: unknown): Receipt => parseReceipt(readProperty(row, 'receipt'))
  return {
    async begin(receipt) {
      const { id, intent, owner, state, startedAtMs, keepUntilSeconds } = receipt
      const ids = FILTERS.map((name) => receipt[name] ?? null)
      const json = JSON.stringify(receipt)
      const values = [id, intent, owner, state, ...ids, startedAtMs, keepUntilSeconds, json]
      const [row] = await query(BEGIN, [...values, nowSeconds()])
      const stored = read(row)
      return stored.owner === owner && stored.state === 'running' ? 'begun' : stored
    },
    async settle(receipt) {
      const { id, owner, state } = receipt
      const rows = await query(SETTLE, [id, owner, state, JSON.stringify(receipt)])
      await query(CLEAN_UP, [nowSeconds()])
      return rows.some((row) => readProperty(row, 'id') === id)
    },
    release: (id, owner) => query(RELEASE, [id, owner]),
    async find(id) {
      const [row] = await query(FIND, [id, nowSeconds()])
      return row === undefined ? undefined : read(row)
    },
    last: async (intent) => (await query(LAST, [intent, nowSeconds()])).map(read),
    async erase(filter) {
      const ids = readFilter(filter)
      if (ids.length === 0) return 0
      const where = ids.map(([name], index) => `${name} = $${index + 1}`).join(' AND ')
      const values = ids.map(([, id]) => id)
      const erased = await query(`DELETE FROM ${TABLE} WHERE ${where} RETURNING id`, values)
      return erased.length
    },
  }
}

/** Creates receipts in SQLite, where `?1` replaces `$1`. The table is created if it is missing. */
function createSqliteReceipts(run: Query): Receipts {
  return createSqlReceipts(async (text, values) => {
    const statement = text.replaceAll('$', '?')
    try {
      return await run(statement, values)
    } catch (error) {
      if (!errorMessage(error).includes('no such table')) throw error
      // The failed statement changed nothing, so it can run again.
      for (const create of RECEIPTS_TABLE.split(';\n')) {
        // oxlint-disable-next-line no-await-in-loop -- the indexes need the table
        await run(create, [])
      }
      return run(statement, values)
    }
  })
}

/** The part of a D1 database that `d1Receipts()` uses. */
export interface D1Statements {
  prepare(query: string): {
    bind(...values: unknown[]): { all(): Promise<{ readonly results: readonly unknown[] }> }
  }
}

/**
 * Stores receipts in the table `sidecard_receipts` of a D1 database, which is
 * created at the first use.
 *
 * @throws {SidecardError} `invalid_options` if the argument is not a D1 database.
 * Without the binding, only actions are not available.
 * @see docs/guides/actions.md#receipts
 * @example receipts: (env) => d1Receipts(env.DB)
 */
export function d1Receipts(db: D1Statements | undefined): Receipts {
  if (!hasMethods(db, 'prepare')) {
    const expected = 'a D1 database: check the name of the binding'
    throw invalidOption('d1Receipts', 'the argument', expected, db)
  }
  return createSqliteReceipts(async (text, values) => {
    const statement = db.prepare(text)
    return (await statement.bind(...values).all()).results
  })
}

/** The part of a `DatabaseSync` of `node:sqlite` that `sqliteReceipts()` uses. */
export interface SqliteStatements {
  prepare(query: string): { all(...values: (string | number | null)[]): readonly unknown[] }
}

/**
 * Stores receipts in the table `sidecard_receipts` of a database of `node:sqlite`,
 * for the processes of one machine. The table is created at the first use. If
 * several processes use the file, open it with the option `timeout`.
 *
 * @throws {SidecardError} `invalid_options` if the argument is not a database
 * @see docs/guides/actions.md#receipts
 * @example receipts: sqliteReceipts(new DatabaseSync('billing.db', { timeout: 5_000 }))
 */
export function sqliteReceipts(database: SqliteStatements): Receipts {
  if (!hasMethods(database, 'prepare')) {
    const expected = 'a DatabaseSync of node:sqlite'
    throw invalidOption('sqliteReceipts', 'the argument', expected, database)
  }
  return createSqliteReceipts(async (text, values) => database.prepare(text).all(...values))
}

/**
 * Runs a statement with the values of `$1`, `$2` and so on. Returns the rows, or an
 * object with `rows`.
 */
export type PostgresQuery = (
  text: string,
  values: Value[],
) => PromiseLike<{ readonly rows: readonly unknown[] } | readonly unknown[]>

/**
 * Stores receipts in a table of a PostgreSQL database. Create the table with
 * {@link RECEIPTS_TABLE}, in a migration.
 *
 * @throws {SidecardError} `invalid_options` if the argument is not a function
 * @see docs/guides/actions.md#receipts
 * @example receipts: postgresReceipts((text, values) => pool.query(text, values))
 */
export function postgresReceipts(query: PostgresQuery): Receipts {
  if (typeof query !== 'function') {
    const expected = 'a function that runs a statement'
    throw invalidOption('postgresReceipts', 'the argument', expected, query)
  }
  return createSqlReceipts(async (text, values) => {
    const result = await query(text, [...values])
    return isArray(result) ? result : result.rows
  })
}
