import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres, startPostgres } from '../helpers/postgres.ts'
import { collectOutput } from '../helpers/collect-output.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { createEnvironment, createScaffold, type Scaffold } from '../helpers/scaffold.ts'

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

  const migrate = (...args: readonly string[]) =>
    project.npm(['run', 'migrate', ...(args.length > 0 ? ['--', ...args] : [])], {
      DATABASE_URL: url,
    })

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

  /** Starts a program of the project that reads DATABASE_URL. */
  function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [...args], {
      cwd: project.folder,
      env: { ...createEnvironment(), DATABASE_URL: url, ...env },
    })
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    onTestFinished(async () => {
      child.kill('SIGTERM')
      await exited
    })
    return { ...collectOutput(child), exited }
  }

  test('run once, and the customers of seed.sql are added once', async () => {
    add('0003_seats.sql', 'UPDATE customers SET seats = seats * 10;')
    add('0004_note.sql', 'ALTER TABLE customers ADD COLUMN note TEXT;')
    expect(migrate('--seed')).toEqual({
      exitCode: 0,
      output:
        'Applied 0001_customers.sql\nApplied 0002_claims.sql\nApplied 0003_seats.sql\nApplied 0004_note.sql\nAdded the customers of seed.sql\n',
    })
    expect(migrate('--seed').output).toBe(
      'There are no new migrations.\nAdded the customers of seed.sql\n',
    )
    expect(await query("SELECT seats FROM customers WHERE id = 'acc_northwind'")).toEqual([
      { seats: 25 },
    ])
    add('0005_double.sql', 'UPDATE customers SET seats = seats * 2;')
    expect(migrate().output).toBe('Applied 0005_double.sql\n')
    expect(migrate().output).toBe('There are no new migrations.\n')
    expect(await query("SELECT seats FROM customers WHERE id = 'acc_northwind'")).toEqual([
      { seats: 50 },
    ])
  }, 60_000)

  test('run once even if several processes migrate, and may take long', async () => {
    // Longer than the time limit of a query of the app.
    add('0003_slow.sql', 'CREATE TABLE slow (id INT); SELECT pg_sleep(2.5);')
    const processes = Array.from({ length: 3 }, () => start(['src/migrate.ts']))
    expect(await Promise.all(processes.map(({ exited }) => exited))).toEqual([0, 0, 0])
    const output = processes.map(({ text }) => text()).join('')
    expect(output.match(/Applied 0001_customers\.sql/g)).toHaveLength(1)
    expect(output.match(/Applied 0003_slow\.sql/g)).toHaveLength(1)
  }, 60_000)

  test('change nothing if one fails, which is named', async () => {
    add('0003_broken.sql', 'CREATE TABLE half (id INT); SELECT missing FROM customers;')
    const { exitCode, output } = migrate()
    expect(exitCode).toBe(1)
    expect(output).toContain('0003_broken.sql failed and changed nothing: column "missing"')
    expect(await query("SELECT to_regclass('half') AS half")).toEqual([{ half: null }])
    rmSync(join(project.folder, 'migrations/0003_broken.sql'))
    expect(migrate().output).toBe('There are no new migrations.\n')
  }, 60_000)

  test('that have not run are named at the start, in failures and in the health log', async () => {
    const port = String(await findFreePort())
    const app = start(['src/server.ts'], { PORT: port, SIDECARD_SECRET: 's', SIDECARD_DEV: '1' })
    const pending =
      '2 migrations have not run: 0001_customers.sql, 0002_claims.sql. Run npm run migrate.'
    await app.until(new RegExp(`database: ${pending}`))
    const health = await fetch(`http://127.0.0.1:${port}/health`)
    expect([health.status, await health.json()]).toEqual([
      503,
      { status: 'failing', sources: { database: 'failing' } },
    ])
    await app.until(new RegExp(`sidecard health check[^]*${pending}`))
    const rendered = await project.cli(
      'render',
      `http://127.0.0.1:${port}`,
      '-H',
      'x-sidecard-secret: s',
      '--param',
      'account_id=acc_northwind',
    )
    expect(rendered.exitCode).toBe(1)
    expect(rendered.stderr).toContain(`relation "customers" does not exist. ${pending}`)

    // The running server needs no restart.
    expect(migrate('--seed').exitCode).toBe(0)
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  }, 60_000)

  test('are not needed without a server, which is said', () => {
    url = ''
    expect(migrate()).toEqual({
      exitCode: 1,
      output: 'DATABASE_URL is not set. The embedded database migrates itself when it opens.\n',
    })
  })
})
