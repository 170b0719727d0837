import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Receipts } from 'sidecard/actions'
import { sqliteReceipts } from 'sidecard/actions'
import { createReceipt, testReceipts } from '../../helpers/receipts.ts'

const GUIDE = readFileSync(new URL('../../../docs/guides/actions.md', import.meta.url), 'utf8')

type Query = (sql: string, values: (string | number)[]) => Promise<unknown[]>

describe('the store that the guide shows', async () => {
  const [, code = ''] = /```ts\n(import type \{ Receipt, ReceiptFilter[^]*?)```/.exec(GUIDE) ?? []
  test('has at most 30 lines', () => expect(code.trim().split('\n').length).toBeLessThanOrEqual(30))

  const url = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(code))}`
  const { sqlReceipts } = (await import(/* @vite-ignore */ url)) as {
    sqlReceipts(query: Query): Receipts
  }
  testReceipts(
    () => {
      const database = new DatabaseSync(':memory:')
      const columns = 'action TEXT, number INT, id TEXT, link TEXT, revision INT, receipt TEXT'
      database.exec(`CREATE TABLE receipts (${columns}, PRIMARY KEY (action, number))`)
      return sqlReceipts(async (sql, values) => database.prepare(sql).all(...values))
    },
    { isThrifty: false },
  )
})

test('the statement of the guide lists what is open or unknown', async () => {
  const [, statement = ''] = /```sql\n([^]*?)```/.exec(GUIDE) ?? []
  const database = new DatabaseSync(':memory:')
  const receipts = sqliteReceipts(database)
  for (const state of ['running', 'unknown', 'refused', 'not_done', 'done'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await receipts.begin(createReceipt({ state }), 1)
  }
  const rows = database.prepare(statement).all()
  expect(rows.map(({ state }) => state)).toEqual(['running', 'unknown'])
})
