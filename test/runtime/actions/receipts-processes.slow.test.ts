import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { CREATE_RECEIPTS_TABLE } from 'sidecard/actions'
import { DRAWS_ALL } from '../../helpers/draw.ts'
import { findFreePort } from '../../helpers/free-port.ts'
import { findPostgres, type Postgres, startPostgres } from '../../helpers/postgres.ts'
import {
  expectOneEffectOfForm,
  expectOneEffectOfLinks,
  expectNoEffectAfterKill,
} from '../../helpers/receipts-processes.ts'
import { STEPS } from '../../helpers/refunding-app.ts'
import {
  expectOneSerializableEffect,
  expectOutcomesDespiteKills,
} from '../../helpers/stopped-postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'sidecard-receipts-'))
afterAll(() => rmSync(folder, { recursive: true }))
const newFile = () => join(folder, crypto.randomUUID())
const ROUNDS = Array.from({ length: DRAWS_ALL ? 10 : 3 }, (_, index) => index + 1)

function testAllSteps(getUrl: () => string): void {
  test.each(STEPS)('a process that is killed %s causes no second effect', (step) =>
    expectNoEffectAfterKill(getUrl(), newFile(), step),
  )

  test.each(ROUNDS)('two processes cause one effect, round %i', async () => {
    await expectOneEffectOfForm(getUrl(), newFile())
    await expectOneEffectOfLinks(getUrl(), newFile())
  })
}

const bin = findPostgres()

describe.skipIf(bin === undefined)('postgresReceipts with a real PostgreSQL', () => {
  let server: Postgres
  beforeAll(async () => {
    server = startPostgres(bin ?? '', await findFreePort())
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query(CREATE_RECEIPTS_TABLE)
    await client.end()
  })
  afterAll(() => server.stop())

  testAllSteps(() => server.url)

  test.each(ROUNDS)('serializable transactions cause one effect, round %i', () =>
    expectOneSerializableEffect(server, newFile()),
  )

  test.each(ROUNDS)('backends that are killed at random lose no outcome, round %i', () =>
    expectOutcomesDespiteKills(server, newFile()),
  )
})

describe('sqliteReceipts with node:sqlite', () => {
  const file = newFile()
  testAllSteps(() => file)
})
