import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { CREATE_RECEIPTS_TABLE } from 'sidecard/actions'
import { findFreePort } from '../../helpers/free-port.ts'
import { findPostgres, type Postgres, startPostgres } from '../../helpers/postgres.ts'
import {
  expectOneEffectOfForm,
  expectOneEffectOfLinks,
  expectNoEffectAfterKill,
} from '../../helpers/receipts-processes.ts'
import { openReceipts, STEPS } from '../../helpers/refunding-app.ts'
import { testReceipts } from '../../helpers/receipts.ts'
import { expectOutcomeAfterStop } from '../../helpers/stopped-postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'sidecard-receipts-'))
afterAll(() => rmSync(folder, { recursive: true }))
const newFile = () => join(folder, crypto.randomUUID())

/** Draws some of the steps; the slow test takes all of them. */
const DRAWN = STEPS.toSorted(() => Math.random() - 0.5).slice(0, 2)

function testProcesses(getUrl: () => string): void {
  test('two processes that get 40 POSTs of one form cause one effect', () =>
    expectOneEffectOfForm(getUrl(), newFile()))

  test('12 agents who confirm 12 links of one action cause one effect', () =>
    expectOneEffectOfLinks(getUrl(), newFile()))

  test.each(DRAWN)('a process that is killed %s causes no second effect', (step) =>
    expectNoEffectAfterKill(getUrl(), newFile(), step),
  )
}

const bin = findPostgres()

describe.skipIf(bin === undefined)('postgresReceipts with a real PostgreSQL', () => {
  let server: Postgres
  let store: ReturnType<typeof openReceipts>

  beforeAll(async () => {
    server = startPostgres(bin ?? '', await findFreePort())
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query(CREATE_RECEIPTS_TABLE)
    await client.end()
    store = openReceipts(server.url)
  })
  afterAll(async () => {
    await store.close()
    server.stop()
  })

  testReceipts(() => store.receipts)
  testProcesses(() => server.url)

  test('a server that is stopped while run ends gets the outcome when it is back', () =>
    expectOutcomeAfterStop(server, newFile()))
})

describe('sqliteReceipts with node:sqlite', () => {
  const file = newFile()
  const store = openReceipts(file)
  afterAll(store.close)
  testReceipts(() => store.receipts)
  testProcesses(() => file)
})
