import { errorMessage } from '../../internal/error-message.ts'
import { isArray, readProperty } from '../../internal/hostile-values.ts'
import { hasMethods, invalidOption } from '../../internal/read-options.ts'
import {
  blankReceipt,
  FILTERS,
  isReceipt,
  readFilter,
  type Receipt,
  type Receipts,
} from './receipts.ts'

/**
 * The statements that create the table of `postgresReceipts()`. `d1Receipts()` and
 * `sqliteReceipts()` run them when needed.
 *
 * @example
 * await pool.query(CREATE_RECEIPTS_TABLE)
 */
export const CREATE_RECEIPTS_TABLE = `CREATE TABLE IF NOT EXISTS sidecard_receipts (
  action_key TEXT NOT NULL,
  number BIGINT NOT NULL,
  attempt_id TEXT NOT NULL,
  link_id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  state TEXT NOT NULL,
  organization TEXT,
  account TEXT,
  requester TEXT,
  issue TEXT,
  keep_until_seconds BIGINT NOT NULL,
  receipt TEXT NOT NULL,
  PRIMARY KEY (action_key, number)
);
CREATE INDEX IF NOT EXISTS sidecard_receipts_link ON sidecard_receipts (link_id);
CREATE INDEX IF NOT EXISTS sidecard_receipts_organization ON sidecard_receipts (organization);
CREATE INDEX IF NOT EXISTS sidecard_receipts_expiry ON sidecard_receipts (keep_until_seconds)`

const TABLE = 'sidecard_receipts'
const ONE = 'action_key = $1 AND number = $2'

// The casts give PostgreSQL the types of the parameters, which have no column here.
const BEGIN = `INSERT INTO ${TABLE} (action_key, number, attempt_id, link_id, revision, state,
  organization, account, requester, issue, keep_until_seconds, receipt)
SELECT $1, CAST($2 AS BIGINT), $3, $4, CAST($5 AS BIGINT), $6, $7, $8, $9, $10, CAST($11 AS BIGINT), $12
WHERE COALESCE((SELECT MAX(number) FROM ${TABLE} WHERE action_key = $1), 0) + 1 = CAST($2 AS BIGINT)
ON CONFLICT (action_key, number) DO NOTHING RETURNING receipt`
const FIND = `SELECT receipt FROM ${TABLE} WHERE ${ONE} AND attempt_id = $3`
const SETTLE = `UPDATE ${TABLE} SET revision = $4, state = $5, receipt = $6,
  organization = $7, account = $8, requester = $9, issue = $10
WHERE ${ONE} AND attempt_id = $3 AND revision = CAST($4 AS BIGINT) - 1 RETURNING receipt`
const CLEAN_UP = `DELETE FROM ${TABLE}
WHERE keep_until_seconds <= $1 AND state NOT IN ('running', 'unknown')`

/** Selects one receipt, because SQLite accepts LIMIT only at the end of a union. */
function selectFirst(where: string, order: string): string {
  return `SELECT receipt FROM (SELECT receipt FROM ${TABLE} WHERE ${where} ORDER BY ${order} DESC LIMIT 1) AS one`
}

// UNION removes duplicates.
const LIST = [
  selectFirst('action_key = $1', 'number'),
  selectFirst("action_key = $1 AND state = 'done'", 'number'),
  selectFirst('link_id = $2', "CASE WHEN state = 'done' THEN 1 ELSE 0 END DESC, number"),
].join(' UNION ')

type Value = string | number | null

/** Runs a statement, and returns its rows. */
type Query = (text: string, values: readonly Value[]) => PromiseLike<readonly unknown[]>

function createSqlReceipts(query: Query): Receipts {
  const read = (row: unknown): Receipt => parseReceipt(readProperty(row, 'receipt'))
  const replace = async (receipt: Receipt): Promise<boolean> => {
    const { actionKey, number, attemptId, revision, state } = receipt
    const ids = FILTERS.map((name) => receipt[name] ?? null)
    const json = JSON.stringify(receipt)
    const values = [actionKey, number, attemptId, revision, state, json, ...ids]
    const rows = await query(SETTLE, values)
    return rows.some((row) => readProperty(row, 'receipt') === json)
  }
  const find = async ({ actionKey, number, attemptId }: Receipt) => {
    const [row] = await query(FIND, [actionKey, number, attemptId])
    return row === undefined ? undefined : read(row)
  }
  return {
    async begin(receipt, number) {
      const { actionKey, attemptId, linkId, revision, state, keepUntilSeconds } = receipt
      const ids = FILTERS.map((name) => receipt[name] ?? null)
      const first = [actionKey, number, attemptId, linkId, revision, state]
      const values = [...first, ...ids, keepUntilSeconds, JSON.stringify(receipt)]
      const rows = (await query(BEGIN, values)).map(read)
      return rows.length > 0 || (await find({ ...receipt, number })) !== undefined
    },
    async settle(receipt) {
      const isReplaced = await replace(receipt)
      await query(CLEAN_UP, [Math.floor(Date.now() / 1_000)])
      return isReplaced || find(receipt)
    },
    list: async (actionKey, linkId) => (await query(LIST, [actionKey, linkId])).map(read),
    async erase(filter) {
      const ids = readFilter(filter)
      if (ids.length === 0) return 0
      const where = ids.map(([name], index) => `${name} = $${index + 1}`).join(' AND ')
      const values = ids.map(([, id]) => id)
      let erased = 0
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- a receipt may change before it is erased
        const rows = await query(`SELECT receipt FROM ${TABLE} WHERE ${where}`, values)
        if (rows.length === 0) return erased
        // oxlint-disable-next-line no-await-in-loop -- as above
        const results = await Promise.all(rows.map((row) => replace(blankReceipt(read(row)))))
        erased += results.filter(Boolean).length
      }
    },
  }
}

/**
 * Parses the JSON of a receipt that a store returned.
 *
 * @throws {TypeError} if it is not a receipt
 */
function parseReceipt(json: unknown): Receipt {
  const receipt: unknown = typeof json === 'string' ? JSON.parse(json) : undefined
  if (!isReceipt(receipt)) throw new TypeError('The store returned an invalid receipt.')
  return receipt
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
      for (const create of CREATE_RECEIPTS_TABLE.split(';\n')) {
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
 * {@link CREATE_RECEIPTS_TABLE}, in a migration.
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
