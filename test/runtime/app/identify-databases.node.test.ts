import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identify } from 'sidecard'
import { findPostgres, type Postgres, startPostgres } from '../../helpers/postgres.ts'
import { findFreePort } from '../../helpers/free-port.ts'
import { fetchFrom } from '../../helpers/identify.ts'
import {
  CREATE_ACCOUNTS,
  IDENTITY_ROWS,
  type IdentityQueries,
  testIdentityLookups,
} from '../../helpers/identity-lookups.ts'

describe('on SQLite', () => {
  const db = new DatabaseSync(':memory:')
  const all = (sql: string, value: string) => db.prepare(sql).all(value) as never

  beforeAll(() => {
    db.exec(CREATE_ACCOUNTS)
    const insert = db.prepare('insert into accounts values (?, ?, ?, ?)')
    for (const row of IDENTITY_ROWS) insert.run(...row)
  })
  afterAll(() => db.close())

  testIdentityLookups(() => ({
    byId: (id) => db.prepare('select * from accounts where id = ?').get(id) as never,
    byEmail: (email) => all('select * from accounts where lower(email) = ?', email),
    byDomain: (domain) => all('select * from accounts where domain = ?', domain),
    broken: (id) => all('select * from missing_table where id = ?', id),
  }))
})

const postgresBin = findPostgres()

describe.skipIf(postgresBin === undefined)('on PostgreSQL', () => {
  let server: Postgres
  let pool: pg.Pool
  const all = async (sql: string, value: string) => (await pool.query(sql, [value])).rows as never
  const queries: IdentityQueries = {
    byId: async (id) => (await pool.query('select * from accounts where id = $1', [id])).rows[0],
    byEmail: (email) => all('select * from accounts where lower(email) = $1', email),
    byDomain: (domain) => all('select * from accounts where domain = $1', domain),
    broken: (id) => all('select * from missing_table where id = $1', id),
  }

  beforeAll(async () => {
    server = startPostgres(postgresBin ?? '', await findFreePort())
    pool = new pg.Pool({ connectionString: server.url })
    await pool.query(CREATE_ACCOUNTS)
    for (const row of IDENTITY_ROWS) {
      // oxlint-disable-next-line no-await-in-loop -- seven rows
      await pool.query('insert into accounts values ($1, $2, $3, $4)', [...row])
    }
  }, 60_000)
  afterAll(async () => {
    await pool.end()
    server.stop()
  })

  testIdentityLookups(() => queries)

  test('a lookup receives letters in lowercase as by lower(), except two that would become ASCII', async () => {
    const { rows } = await pool.query<{ letter: string; lower: string }>(
      `select letter, lower(letter collate "und-x-icu") from
        (select chr(c) as letter from generate_series(1, 131071) c where c not between 55296 and 57343) letters
        where letter <> lower(letter collate "und-x-icu")`,
    )
    const changed: string[] = []
    await fetchFrom(
      (ctx) => identify(ctx, { requester_email: (email) => void changed.push(email) }) as never,
      { requester_email: `${rows.map(({ letter }) => letter).join('')}@acme.example` },
    )
    const letters = Array.from((changed[0] ?? '').replace('@acme.example', ''))
    const kept = rows.filter(({ lower }, index) => letters[index] !== lower)
    expect([letters.length, kept.map(({ letter }) => letter)]).toEqual([
      rows.length,
      ['İ', '\u212A'],
    ])
    expect(rows.length).toBeGreaterThan(1_300)
  })

  test('no lookup runs after the timeout of a query that waits for a lock', async () => {
    const holder = await pool.connect()
    await holder.query('begin; lock table accounts in access exclusive mode')
    const ran: string[] = []
    let late: Promise<unknown> | undefined
    const shown = await fetchFrom(
      (ctx) =>
        identify(ctx, {
          account_id: (id) => (late = queries.byId(id) as Promise<unknown>),
          requester_email: (email) => void ran.push(email),
        }) as never,
      { account_id: 'gone', requester_email: 'jane.doe@acme.example' },
      { timeoutMs: 200 },
    )
    await holder.query('commit')
    holder.release()
    expect(shown.failure).toBe('timeout')
    expect(await late).toBeUndefined()
    expect(ran).toEqual([])
  })
})
