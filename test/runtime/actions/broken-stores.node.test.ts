import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localPath } from '../../helpers/actions.ts'
import { type BrokenStore } from '../../helpers/broken-store.ts'
import { openOn, testBrokenStore } from '../../helpers/broken-store-cases.ts'
import { startStores } from '../../helpers/start-stores.ts'

let stores: readonly BrokenStore[] = []
beforeAll(async () => {
  stores = await startStores()
}, 60_000)
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()))
})

const ALL = ['memoryReceipts', 'sqliteReceipts', 'postgresReceipts']

describe.concurrent.each(ALL)('%s, broken', (name) => {
  testBrokenStore(
    (skip) => stores.find((store) => store.name === name) ?? skip('it is not installed'),
  )
})

/** The links of a test have no start of the process, so this one sends requests as a host does. */
test('a store that does not say since when it has receipts opens no page', async () => {
  const opened = await openOn(stores.find(({ name }) => name === 'memoryReceipts')!)
  opened.breakAt('since', 'throws')
  const response = await opened.app.request(localPath(opened.link))
  expect(response.status).toBe(503)
})
