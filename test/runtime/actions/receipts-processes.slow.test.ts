import { describe, test } from 'vitest'
import { DRAWS_ALL } from '../../helpers/draw.ts'
import { findPostgres } from '../../helpers/postgres.ts'
import {
  expectNoEffectAfterKill,
  expectOneEffectOfForm,
  expectOneEffectOfLinks,
  useFiles,
  usePostgres,
} from '../../helpers/receipts-processes.ts'
import { STEPS } from '../../helpers/refunding-app.ts'
import {
  expectOneSerializableEffect,
  expectOutcomesDespiteKills,
} from '../../helpers/stopped-postgres.ts'

const newFile = useFiles()
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
  const getServer = usePostgres(bin)
  testAllSteps(() => getServer().url)

  test.each(ROUNDS)('serializable transactions cause one effect, round %i', () =>
    expectOneSerializableEffect(getServer(), newFile()),
  )

  test.each(ROUNDS)('backends that are killed at random lose no outcome, round %i', () =>
    expectOutcomesDespiteKills(getServer(), newFile()),
  )
})

describe('sqliteReceipts with node:sqlite', () => {
  const file = newFile()
  testAllSteps(() => file)
})

describe.skipIf(process.platform !== 'linux')('d1Receipts with D1 in workerd', () => {
  const url = `d1:${newFile()}`
  test.each(STEPS)(
    'a confirmation whose app and workerd are both killed %s, before workerd opens the same files again, causes no second effect',
    (step) => expectNoEffectAfterKill(url, newFile(), step),
    120_000,
  )
})
