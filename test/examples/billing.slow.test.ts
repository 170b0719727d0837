import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { memoryStore } from 'sidecard/cache'
import { createTestService } from 'sidecard/testing'
import type { FetchDataIds } from '../../src/tools/service/endpoint/query.ts'
import { app } from '../../examples/billing/src/app.ts'
import { type Database, openDatabase } from '../../examples/billing/src/sources/database.ts'
import type { Env } from '../../examples/billing/src/sources/env.ts'
import {
  type ErrorService,
  type ErrorServiceMode,
  startErrorService,
} from '../../examples/billing/src/sources/error-service.ts'
import { findFreePort } from '../helpers/free-port.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let database: Database
let errorService: ErrorService

beforeAll(async () => {
  database = await openDatabase()
  errorService = await startErrorService({ delayMs: 5 })
}, 60_000)
afterAll(async () => {
  await database.close()
  await errorService.close()
})
// Some tests cause failures, which the app logs.
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})

const NO_IDS = { account_id: undefined, requester_id: undefined, requester_email: undefined }

const AGENT = { email: 'robin@acme.example' }

/** A new environment, so that tests do not share cached content. */
function createEnv(change: Partial<Env> = {}): Env {
  return {
    SIDECARD_SECRET: 'test',
    DB: database,
    ERRORS_URL: errorService.url,
    CACHE: memoryStore(),
    ...change,
  }
}

function open(ids: FetchDataIds, env: Env = createEnv()) {
  const service = createTestService(app, { env, headers: { 'x-sidecard-secret': 'test' } })
  return service.openIssue({ ...NO_IDS, ...ids })
}

/** The database, with failing queries for one table. */
function failingAt(part: string): Database {
  return {
    ...database,
    query: <Row>(sql: string, values?: readonly unknown[]) =>
      sql.includes(part)
        ? Promise.reject(new Error('terminating connection of user jane'))
        : database.query<Row>(sql, values),
  }
}

function setMode(mode: ErrorServiceMode): void {
  errorService.mode = mode
  onTestFinished(() => {
    errorService.mode = 'working'
  })
}

const NORTHWIND = { account_id: 'acc_northwind' }

describe('an agent sees', () => {
  test('the account, its last five invoices and its recent errors', async () => {
    const { text, outcome, failures, findings } = await open(NORTHWIND)
    expect({ outcome, failures, findings }).toEqual({
      outcome: 'rendered',
      failures: [],
      findings: [],
    })
    expect(text).toMatchInlineSnapshot(`
      "Billing

      ╭─ Northwind Traders ──────────────────────╮
      │ Plan    Business                         │
      │ Seats   25                               │
      │ MRR     €1,249.00                        │
      │ Renews  Mar 1, 2027                      │
      │ Status  ● active (green)                 │
      │ [ Open in admin ↗ ]                      │
      ╰──────────────────────────────────────────╯
      ╭─ Last invoices ──────────────────────────╮
      │ INV-2206  ● €1,249.00 (blue)             │
      │           ● Open (red)                   │
      │ INV-2205  ● €1,249.00 (blue)             │
      │           ● Paid (green)                 │
      │ INV-2204  ● €1,249.00 (blue)             │
      │           ● Paid (green)                 │
      │ INV-2203  ● €999.00 (blue)               │
      │           ● Paid (green)                 │
      │ INV-2202  ● €999.00 (blue)               │
      │           ● Paid (green)                 │
      ╰──────────────────────────────────────────╯
      ╭─ Recent errors ──────────────────────────╮
      │ Webhook returne…  2026-11-21 09:30 UTC   │
      │ Card declined     2026-11-20 17:05 UTC   │
      ╰──────────────────────────────────────────╯
      "
    `)
  })

  test('an account that only the email matches, in any letter case, without the admin link', async () => {
    const { text } = await open({ requester_email: ' maria.ANDERS@northwind.example' })
    expect(text).toMatch(/Northwind Traders[^]*Matched by +● Email/)
    expect(text).not.toMatch(/Open in admin/)
  })

  test('an account that the email matches after an unknown account ID', async () => {
    const ids = { account_id: 'acc_gone', requester_email: 'hanako.suzuki@koi.example' }
    expect((await open(ids)).text).toMatch(/Koi 鯉 Studio[^]*Matched by/)
  })

  test('an account that the domain of the email matches', async () => {
    const { text } = await open({ requester_email: 'new@koi.example' })
    expect(text).toMatch(/Koi 鯉 Studio[^]*Matched by/)
  })

  test('the names of several accounts with one email, and the data of none', async () => {
    const { text, outcome } = await open({ requester_email: 'team@lumen.example' })
    expect(outcome).toBe('ambiguous')
    expect(text).toMatch(/Lumen Labs[^]*Lumen Archive/)
    expect(text).not.toMatch(/Starter/)
  })

  test('that no account matches', async () => {
    const { text, outcome } = await open({ account_id: 'x', requester_email: 'a@gmail.com' })
    expect(outcome).toBe('not_found')
    expect(text).toMatch(/Customer not found/)
  })

  test('that an issue without IDs cannot be searched', async () => {
    const { text, outcome } = await open({})
    expect(outcome).toBe('not_found')
    expect(text).toMatch(/no account ID/)
  })

  test('an unknown status and a missing renewal date', async () => {
    const { text } = await open({ account_id: 'acc_foxglove' })
    expect(text).toMatch(/● trialing/)
    expect(text).not.toMatch(/Renews/)
  })

  test('that an account has no invoices and no errors, and yen without decimals', async () => {
    const { text } = await open({ account_id: 'acc_koi' })
    expect(text).toMatch(/¥980,000/)
    expect(text).toMatch(/None yet/)
    expect(text).toMatch(/None in the last 24 hours/)
  })

  test('that an invoice is open', async () => {
    expect((await open({ account_id: 'acc_3' })).text).toMatch(/INV-3-5 +● €49.00[^│]+● Open/)
  })
})

describe('if a source fails', () => {
  const kinds = (failures: Awaited<ReturnType<typeof open>>['failures']) =>
    failures.map(({ kind, section, stale }) => [kind, section, stale])

  test('the accounts: the agent sees a failure card, and no weaker match', async () => {
    const env = createEnv({ DB: failingAt('accounts WHERE id') })
    const ids = { ...NORTHWIND, requester_email: 'hanako.suzuki@koi.example' }
    const { payload, failures } = await open(ids, env)
    expect(kinds(failures)).toEqual([['identity_failed', undefined, false]])
    expect(JSON.stringify(payload)).toMatch(/Trace ID/)
    expect(JSON.stringify(payload)).not.toMatch(/Koi|jane/)
  })

  test('the invoices: the agent sees the account and the errors', async () => {
    const { text, failures } = await open(NORTHWIND, createEnv({ DB: failingAt('invoices') }))
    expect(kinds(failures)).toEqual([['section_failed', 'Last invoices', false]])
    expect(text).toMatch(/Northwind Traders[^]*Trace ID[^]*Card declined/)
  })

  test.each([
    ['is down', 'failing', 'section_failed'],
    ['responds with another shape', 'malformed', 'section_failed'],
    ['hangs', 'hanging', 'section_timeout'],
  ] as const)(
    'the error service %s: the agent sees the account and the invoices',
    async (_, mode, kind) => {
      setMode(mode)
      const { text, failures } = await open(NORTHWIND)
      expect(kinds(failures)).toEqual([[kind, 'Recent errors', false]])
      expect(text).toMatch(/Northwind Traders[^]*INV-2206[^]*Trace ID/)
    },
  )

  test('the error service, after it worked: the agent sees stale content and its time', async () => {
    const env = createEnv()
    await open(NORTHWIND, env)
    const loadedAt = new Date()
    vi.useFakeTimers({ toFake: ['Date'], now: loadedAt.getTime() + 120_000 })
    onTestFinished(() => void vi.useRealTimers())
    setMode('failing')
    // On a busy machine, stale content is shown while its refresh is still running.
    const openUntilFailure = async (): ReturnType<typeof open> => {
      const opened = await open(NORTHWIND, env)
      return opened.failures.length > 0 ? opened : openUntilFailure()
    }
    const { text, failures } = await openUntilFailure()
    expect(kinds(failures)).toEqual([['section_failed', 'Recent errors', true]])
    expect(text).toMatch(/Card declined[^]*As of/)
  })
})

describe('the error service', () => {
  test('is called once for all issues of a customer', async () => {
    const env = createEnv()
    const before = errorService.requests.get('acc_7') ?? 0
    await open({ account_id: 'acc_7', issue_id: 'a' }, env)
    await open({ requester_email: 'billing@customer-7.example', issue_id: 'b' }, env)
    expect(errorService.requests.get('acc_7')).toBe(before + 1)
  })
})

test('an agent extends a trial at most twice, and once per link', async () => {
  const options = { env: createEnv(), headers: { 'x-sidecard-secret': 'test' }, agent: AGENT }
  const service = createTestService(app, options)
  const extend = async () => {
    await service.openIssue({ ...NO_IDS, account_id: 'acc_foxglove' })
    return service.openAction('Extend trial')
  }
  const page = await extend()
  expect(page.text).toMatch(/Foxglove[^]*Trial ends: Dec 1, 2026/)
  expect(await page.confirm({ days: 7, reason: 'More teams' })).toMatchObject({
    outcome: 'done',
    text: expect.stringContaining('Trial ends: Dec 8, 2026'),
  })
  expect(await page.confirm({ days: 7 })).toMatchObject({ outcome: 'already_done' })
  expect(await (await extend()).confirm({ days: 1 })).toMatchObject({ outcome: 'done' })
  const third = await (await extend()).confirm({ days: 1 })
  expect(third).toMatchObject({ outcome: 'refused' })
  expect(third.text).toContain('already extended twice')
  const rows = await database.query('SELECT days, extended_by, reason FROM trial_extensions')
  const by = { extended_by: AGENT.email }
  expect(rows).toEqual([
    { days: 7, ...by, reason: 'More teams' },
    { days: 1, ...by, reason: null },
  ])
})

test('callers without the secret are rejected', async () => {
  const env = createEnv()
  expect((await createTestService(app, { env }).connect()).ok).toBe(false)
  const unset = { env: createEnv({ SIDECARD_SECRET: undefined }) }
  const headers = { 'x-sidecard-secret': '' }
  expect((await createTestService(app, { ...unset, headers }).connect()).ok).toBe(false)
})

test('the database has 5,000 accounts', async () => {
  expect(await database.query('SELECT count(*)::int AS count FROM accounts')).toEqual([
    { count: 5_000 },
  ])
})

test('the server runs without any account, and ends on SIGTERM', async () => {
  const port = await findFreePort()
  const args = ['--import', './test/helpers/use-source.ts', 'examples/billing/src/server.ts']
  const server = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: String(port), SIDECARD_SECRET: 'test' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const [output] = (await once(server.stdout, 'data')) as [Buffer]
  const url = `http://127.0.0.1:${port}`
  expect(String(output)).toBe(`Billing listening on ${url}\n`)

  expect(await (await fetch(`${url}/health`)).json()).toEqual({
    status: 'ok',
    sources: { database: 'ok' },
  })
  const service = createTestService(url, { headers: { 'x-sidecard-secret': 'test' } })
  const { text, failures } = await service.openIssue({ ...NO_IDS, ...NORTHWIND })
  expect(failures).toEqual([])
  expect(text).toMatch(/Northwind Traders[^]*Card declined/)

  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
}, 60_000)

test('the app and its server have at most 81 lines of code', async () => {
  const files = ['app.ts', 'server.ts'].map((name) => `${root}examples/billing/src/${name}`)
  const lines = (await Promise.all(files.map((file) => readFile(file, 'utf8'))))
    .join('\n')
    .split('\n')
  const code = lines.filter((line) => !/^\s*(?:\/\/|\/?\*|$)/.test(line))
  expect(code.length).toBeGreaterThan(50)
  expect(code.length).toBeLessThanOrEqual(81)
})
