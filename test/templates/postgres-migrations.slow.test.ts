import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findPostgres, startPostgres } from '../helpers/postgres.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { createScaffold, type Scaffold } from '../helpers/scaffold.ts'

// If PostgreSQL is missing, run apt-get install postgresql.
const bin = findPostgres()

describe.skipIf(bin === undefined)('the migrations of the template node-postgres', () => {
  let server: ReturnType<typeof startPostgres>
  let admin: pg.Client
  let project: Scaffold
  let url = ''
  let databases = 0

  beforeAll(async () => {
    server = startPostgres(bin ?? '', await findFreePort())
    admin = new pg.Client(server.url)
    await admin.connect()
  }, 60_000)
  afterAll(async () => {
    await admin.end()
    server.stop()
  })
  beforeEach(async () => {
    databases += 1
    await admin.query(`CREATE DATABASE app_${databases}`)
    url = Object.assign(new URL(server.url), { pathname: `/app_${databases}` }).href
    project = await createScaffold('node-postgres')
  })

  const migrate = () => project.npm(['run', 'migrate'], { DATABASE_URL: url })

  const add = (name: string, sql: string) =>
    writeFileSync(join(project.folder, 'migrations', name), sql)

  async function query(sql: string) {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return (await client.query(sql)).rows as unknown[]
    } finally {
      await client.end()
    }
  }

  test('run once, in the order of their names', async () => {
    add(
      '0002_customer.sql',
      "INSERT INTO customers VALUES ('a', 'A', '', '', 'P', 5, 's', 0, 'EUR');",
    )
    add('0003_double.sql', 'UPDATE customers SET seats = seats * 2;')
    expect(migrate()).toMatchObject({ exitCode: 0 })
    expect(migrate()).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('No migrations to run!'),
    })
    expect(await query('SELECT seats FROM customers')).toEqual([{ seats: 10 }])
  }, 60_000)

  test('change nothing if one fails, which is named', async () => {
    add('0002_broken.sql', 'CREATE TABLE half (id INT); SELECT missing FROM customers;')
    const { exitCode, output } = migrate()
    expect(exitCode).toBe(1)
    expect(output).toContain('column "missing" does not exist')
    expect(await query("SELECT to_regclass('half') AS half")).toEqual([{ half: null }])
    rmSync(join(project.folder, 'migrations/0002_broken.sql'))
    expect(migrate()).toMatchObject({ exitCode: 0 })
  }, 60_000)

  test('need the URL of a server, which is said', () => {
    url = ''
    expect(migrate()).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('The DATABASE_URL environment variable is not set'),
    })
  })
})
