import { DatabaseSync } from 'node:sqlite'
import {
  d1Receipts,
  postgresReceipts,
  CREATE_RECEIPTS_TABLE,
  type Receipts,
  sqliteReceipts,
} from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { createReceipt, testReceipts } from '../../helpers/receipts.ts'

type Values = (string | number | null)[]

const openDatabase = () => new DatabaseSync(':memory:')

/** A database that has the interface of D1. */
function createD1(database = openDatabase()) {
  return {
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => ({
        all: async () => ({ results: database.prepare(query).all(...(values as Values)) }),
      }),
    }),
  }
}

/** Runs the statements for PostgreSQL, without its server. */
function createQuery(wrap: (rows: readonly unknown[]) => any, database = openDatabase()) {
  database.exec(CREATE_RECEIPTS_TABLE)
  return async (text: string, values: Values) =>
    wrap(database.prepare(text.replaceAll('$', '?')).all(...values))
}

const STORES: readonly [string, () => Receipts][] = [
  ['sqliteReceipts', () => sqliteReceipts(openDatabase())],
  ['d1Receipts', () => d1Receipts(createD1())],
  ['postgresReceipts with rows', () => postgresReceipts(createQuery((rows) => rows))],
  ['postgresReceipts with a result', () => postgresReceipts(createQuery((rows) => ({ rows })))],
]

describe.each(STORES)('%s', (_, create) => {
  testReceipts(create)
})

test('the table has a column for each ID by which receipts are found', async () => {
  const database = openDatabase()
  const receipt = createReceipt({ account: 'a', requester: 'r' })
  await sqliteReceipts(database).begin(receipt, 1)
  const [row] = database.prepare('SELECT * FROM sidecard_receipts').all()
  const { receipt: json, ...columns } = row!
  expect(json).toBe(JSON.stringify(receipt))
  const { actionKey, attemptId, linkId, keepUntilSeconds, ...others } = receipt
  const ids = { action_key: actionKey, attempt_id: attemptId, link_id: linkId }
  expect({ ...others, ...ids, keep_until_seconds: keepUntilSeconds }).toMatchObject(columns)
  expect(Object.keys(columns)).toHaveLength(11)
  const indexes = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'index'`).all()
  const names = ['link', 'organization', 'expiry'].map((name) => `sidecard_receipts_${name}`)
  expect(indexes.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

test('another error than a missing table is not hidden', async () => {
  let calls = 0
  const prepare = () => {
    calls += 1
    throw new Error('disk I/O error')
  }
  await expect(sqliteReceipts({ prepare }).list('a', 'b')).rejects.toThrow('disk I/O error')
  expect(calls).toBe(1)
})

test.each([
  ['no text', [{ receipt: 7 }]],
  ['another object', [{ receipt: '{}' }]],
  ['no column', [{}]],
])('a row with %s is an error', async (_, rows) => {
  const receipts = postgresReceipts(async () => rows)
  await expect(receipts.list('a', 'b')).rejects.toThrow('The store returned an invalid receipt.')
})

test.each<[string, () => unknown, string]>([
  [
    'd1Receipts',
    () => d1Receipts(undefined),
    'the argument must be a D1 database: check the name of the binding.',
  ],
  [
    'sqliteReceipts',
    () => sqliteReceipts({} as never),
    'the argument must be a DatabaseSync of node:sqlite.',
  ],
])('%s() names what it needs', (name, create, message) => {
  expect(create).toThrow(`${name}: ${message}`)
})
