import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgres, type Postgres, startPostgres } from '../../helpers/postgres.ts'
import { findFreePort } from '../../helpers/free-port.ts'

/** A process has one time zone, so each zone needs a process. */
async function inZone(zone: string, script: string, env: Record<string, string> = {}) {
  const module = new URL('../../../src/runtime/builders/values/calendar-date.ts', import.meta.url)
    .href
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    {
      env: { TZ: zone, MODULE: module, ...env },
      cwd: new URL('../../..', import.meta.url).pathname,
    },
  )
  return JSON.parse(stdout) as unknown
}

const ZONES = ['America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati']
const QUERY = `select day from (values (date '2026-11-21'), (date '1999-12-31'), (date '2024-02-29')) as days(day)`
const EXPECTED = ['Nov 21, 2026', 'Dec 31, 1999', 'Feb 29, 2024']

const bin = findPostgres()

describe.skipIf(bin === undefined)('a DATE of PostgreSQL through node-postgres', () => {
  let server: Postgres
  beforeAll(async () => {
    server = startPostgres(bin ?? '', await findFreePort())
  }, 60_000)
  afterAll(() => server.stop())

  test.each(ZONES)('shows the stored day in %s', async (zone) => {
    const script = `
      import pg from 'pg'
      const { calendarDate } = await import(process.env.MODULE)
      const client = new pg.Client(process.env.DATABASE_URL)
      await client.connect()
      const { rows } = await client.query(process.env.QUERY)
      await client.end()
      console.log(JSON.stringify(rows.map(({ day }) => calendarDate(day))))`
    const shown = await inZone(zone, script, { DATABASE_URL: server.url, QUERY })
    expect(shown).toEqual(EXPECTED)
  })
})

test('a DATE of PGlite shows the stored day', async () => {
  const script = `
    import { PGlite } from '@electric-sql/pglite'
    const { calendarDate } = await import(process.env.MODULE)
    const db = new PGlite()
    const { rows } = await db.query(process.env.QUERY)
    await db.close()
    console.log(JSON.stringify(rows.map(({ day }) => calendarDate(day))))`
  expect(await inZone('America/Los_Angeles', script, { QUERY })).toEqual(EXPECTED)
}, 60_000)
