import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Receipts,
  CREATE_RECEIPTS_TABLE,
  postgresReceipts,
  sqliteReceipts,
} from 'sidecard/actions'
import { findPostgres, type Postgres, startPostgres } from '../../helpers/postgres.ts'
import { createActionApp, createExtendTrial, openPage, readLinks } from '../../helpers/actions.ts'
import { testReceipts } from '../../helpers/receipts.ts'
import { findFreePort } from '../../helpers/free-port.ts'

const HOOKS = new URL('../../helpers/use-source.ts', import.meta.url).href
const PROGRAM = new URL('../../fixtures/confirming-process.ts', import.meta.url).pathname

async function confirmElsewhere(url: string, page: object, count: number, ...flags: string[]) {
  const args = ['--import', HOOKS, PROGRAM, url, JSON.stringify(page), String(count), ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  return JSON.parse(output) as { runs: number; outcomes: string[]; records?: unknown[] }
}

/** Two processes confirm the same page at the same time. */
function testProcesses(get: () => { url: string; receipts: Receipts }): void {
  async function openPageOf(overrides = {}) {
    const app = createActionApp(createExtendTrial(overrides), { receipts: get().receipts })
    const path = `/?request_type=fetch_data&account_id=${crypto.randomUUID()}`
    const [link] = await readLinks(app, path)
    const { t, form, seen } = await openPage(app, link!)
    return { app, path, link: link!, page: { t, form, seen } }
  }

  test('an action runs once under 200 concurrent confirmations from two processes', async () => {
    const { page } = await openPageOf()
    const both = [confirmElsewhere(get().url, page, 100), confirmElsewhere(get().url, page, 100)]
    const [one, two] = await Promise.all(both)
    expect(one!.runs + two!.runs).toBe(1)
    const outcomes = [...one!.outcomes, ...two!.outcomes]
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    // Each of them has the result of the one that ran.
    expect(outcomes.filter((outcome) => outcome === 'already_done')).toHaveLength(199)
  })

  test('200 concurrent confirmations that end with an ActionError are no failures', async () => {
    const { page } = await openPageOf()
    const confirm = () => confirmElsewhere(get().url, page, 100, '--refuse')
    const outcomes = (await Promise.all([confirm(), confirm()])).flatMap((each) => each.outcomes)
    expect(outcomes).toHaveLength(200)
    const expected = ['refused', 'in_progress']
    expect(outcomes.filter((outcome) => !expected.includes(outcome))).toEqual([])
    expect(outcomes).toContain('refused')
  })

  test('after a process was killed in the action, the pages and the audit say who began it, and when', async () => {
    const { app, path, link, page } = await openPageOf({ timeoutMs: 1_000 })
    const { records } = await confirmElsewhere(get().url, page, 1, '--die')
    expect(records).toMatchObject([
      { action: 'extend-trial', outcome: 'started', agent: { email: 'robin@acme.example' } },
    ])
    const settings = { now: () => Date.now() + 8_000 }
    const later = await openPage(app, link, {}, undefined, settings)
    expect(later).toMatchObject({ outcome: 'unknown', heading: 'Outcome unknown' })
    expect(later.html).toContain('Confirmed by robin@acme.example: ')
    const [next] = await readLinks(app, path)
    const other = await openPage(app, next!, {}, undefined, settings)
    expect(other).toMatchObject({ outcome: 'unknown' })
    expect(other.html).toContain('Confirmed by robin@acme.example: ')
    const again = await confirmElsewhere(get().url, page, 3, '--later')
    expect(again).toMatchObject({ runs: 0, outcomes: ['unknown', 'unknown', 'unknown'] })
  })
}

const bin = findPostgres()

describe.skipIf(bin === undefined)('postgresReceipts with a real PostgreSQL', () => {
  let server: Postgres
  let pool: pg.Pool

  beforeAll(async () => {
    server = startPostgres(bin ?? '', await findFreePort())
    pool = new pg.Pool({ connectionString: server.url })
    pool.on('error', () => undefined)
    await pool.query(CREATE_RECEIPTS_TABLE)
  })
  afterAll(async () => {
    await pool.end()
    server.stop()
  })

  const create = () => postgresReceipts((text, values) => pool.query(text, values))
  testReceipts(create)
  testProcesses(() => ({ url: server.url, receipts: create() }))
})

describe('sqliteReceipts with node:sqlite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-receipts-'))
  const file = join(folder, 'receipts.db')
  const database = new DatabaseSync(file, { timeout: 5_000 })
  afterAll(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })

  const create = () => sqliteReceipts(database)
  testReceipts(create)
  testProcesses(() => ({ url: file, receipts: create() }))
})
