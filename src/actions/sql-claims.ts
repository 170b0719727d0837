import { hasMethods, invalidOption } from '../internal/read-options.ts'
import { errorMessage } from '../internal/error-message.ts'
import { isArray, readProperty } from '../internal/hostile-values.ts'
import { type Claims, type ClaimState, isClaimState, nowSeconds } from './claims.ts'

/**
 * The statement that creates the table of `postgresClaims()`. `d1Claims()` runs it when needed.
 *
 * @example
 * await pool.query(CLAIMS_TABLE)
 */
export const CLAIMS_TABLE = `CREATE TABLE IF NOT EXISTS sidecard_claims (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  state TEXT NOT NULL,
  at_seconds BIGINT NOT NULL,
  until_seconds BIGINT NOT NULL
)`

// An expired claim counts as absent.
const CLAIM = `INSERT INTO sidecard_claims (id, owner, state, at_seconds, until_seconds)
VALUES ($1, $2, 'running', $3, $4)
ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, state = excluded.state,
  at_seconds = excluded.at_seconds, until_seconds = excluded.until_seconds
WHERE sidecard_claims.until_seconds <= excluded.at_seconds`
const FIND = `SELECT owner, state, at_seconds FROM sidecard_claims
WHERE id = $1 AND until_seconds > $2`
const SETTLE = `UPDATE sidecard_claims SET state = $3, at_seconds = $4 WHERE id = $1 AND owner = $2`
const RELEASE = `DELETE FROM sidecard_claims WHERE id = $1 AND owner = $2`
const CLEAN_UP = `DELETE FROM sidecard_claims WHERE until_seconds <= $1`

/** Runs a statement, and returns its rows. */
type Query = (text: string, values: readonly (string | number)[]) => PromiseLike<readonly unknown[]>

function createSqlClaims(query: Query): Claims {
  const read = async (id: string) => {
    const [row] = await query(FIND, [id, nowSeconds()])
    if (row === undefined) return undefined
    const state = { state: readProperty(row, 'state'), atSeconds: toNumber(row) }
    if (!isClaimState(state)) throw new TypeError('The database returned an invalid claim.')
    return { owner: readProperty(row, 'owner'), state }
  }

  return {
    async claim(id, owner, untilSeconds) {
      await query(CLAIM, [id, owner, nowSeconds(), Math.ceil(untilSeconds)])
      const found = await read(id)
      if (found === undefined) throw new TypeError('The database did not store the claim.')
      const isOwn = found.owner === owner && found.state.state === 'running'
      return isOwn ? 'claimed' : found.state
    },
    async settle(id, owner, state) {
      await query(SETTLE, [id, owner, state, nowSeconds()])
      await query(CLEAN_UP, [nowSeconds()])
    },
    release: (id, owner) => query(RELEASE, [id, owner]),
    find: async (id): Promise<ClaimState | undefined> => (await read(id))?.state,
  }
}

/** The drivers of PostgreSQL return a BIGINT as a string. */
function toNumber(row: unknown): number {
  const value = readProperty(row, 'at_seconds')
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN
}

/** The part of a D1 database that `d1Claims()` uses. */
export interface D1Statements {
  prepare(query: string): {
    bind(...values: unknown[]): { all(): Promise<{ readonly results: readonly unknown[] }> }
  }
}

/**
 * Remembers claims in the table `sidecard_claims` of a D1 database. A database
 * without this table gets it at the first use.
 *
 * @throws {SidecardError} `invalid_options` if the argument is not a D1 database: without the
 * binding, actions are not available, and the sidebar is not affected
 * @see docs/guides/actions.md#claims
 * @example claims: (env) => d1Claims(env.DB)
 */
export function d1Claims(db: D1Statements | undefined): Claims {
  if (!hasMethods(db, 'prepare')) {
    const expected = 'a D1 database: check the name of the binding'
    throw invalidOption('d1Claims', 'the argument', expected, db)
  }
  // D1 numbers its parameters with a question mark.
  const run = async (text: string, values: readonly (string | number)[]) => {
    const statement = db.prepare(text.replaceAll('$', '?'))
    return (await statement.bind(...values).all()).results
  }
  return createSqlClaims(async (text, values) => {
    try {
      return await run(text, values)
    } catch (error) {
      if (!errorMessage(error).includes('no such table')) throw error
      // The statement has changed nothing, so it can run again.
      await run(CLAIMS_TABLE, [])
      return run(text, values)
    }
  })
}

/**
 * Runs a statement with the values of `$1`, `$2` and so on. Returns the rows, or an
 * object with `rows`.
 */
export type PostgresQuery = (
  text: string,
  values: (string | number)[],
) => PromiseLike<{ readonly rows: readonly unknown[] } | readonly unknown[]>

/**
 * Remembers claims in a table of a PostgreSQL database. Create the table with
 * {@link CLAIMS_TABLE}, in a migration.
 *
 * @throws {SidecardError} `invalid_options` if the argument is not a function
 * @see docs/guides/actions.md#claims
 * @example claims: postgresClaims((text, values) => pool.query(text, values))
 */
export function postgresClaims(query: PostgresQuery): Claims {
  if (typeof query !== 'function') {
    throw invalidOption('postgresClaims', 'the argument', 'a function that runs a statement', query)
  }
  return createSqlClaims(async (text, values) => {
    const result = await query(text, [...values])
    return isArray(result) ? result : result.rows
  })
}
