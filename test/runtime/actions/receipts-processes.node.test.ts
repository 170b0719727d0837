import { afterAll, beforeAll, describe, test } from 'vitest'
import { findPostgres } from '../../helpers/postgres.ts'
import {
  expectNoEffectAfterKill,
  expectOneEffectOfForm,
  expectOneEffectOfLinks,
  useFiles,
  usePostgres,
} from '../../helpers/receipts-processes.ts'
import { openReceipts, STEPS } from '../../helpers/refunding-app.ts'
import { testReceipts } from '../../helpers/receipts.ts'
import { expectOutcomeAfterStop } from '../../helpers/stopped-postgres.ts'

const newFile = useFiles()

/** Draws some of the steps; the slow test takes all of them. */
const DRAWN = STEPS.toSorted(() => Math.random() - 0.5).slice(0, 2)

function testProcesses(getUrl: () => string): void {
  let store: ReturnType<typeof openReceipts>
  beforeAll(() => void (store = openReceipts(getUrl())))
  afterAll(() => store.close())
  testReceipts(() => store.receipts)

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
  const getServer = usePostgres(bin)
  describe('that runs', () => {
    testProcesses(() => getServer().url)
  })

  test('a server that is stopped while run ends gets the outcome when it is back', () =>
    expectOutcomeAfterStop(getServer(), newFile()))
})

describe('sqliteReceipts with node:sqlite', () => {
  const file = newFile()
  testProcesses(() => file)
})
