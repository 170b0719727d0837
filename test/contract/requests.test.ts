import { expect, test } from 'vitest'
import { fetchDataRequestSchema, requestSchema, verifyRequestSchema } from 'sidecard/schema'
import { FETCH_DATA_PARAMETERS } from '../../src/contract/parameters.ts'

const VERIFY = { request_type: 'verify', code: 'c0de' }
const FETCH_DATA = { request_type: 'fetch_data' }

test.each([
  ['a handshake', VERIFY],
  ['a data fetch without IDs', FETCH_DATA],
  ['an empty ID', { ...FETCH_DATA, account_id: '' }],
  [
    'all IDs',
    { ...FETCH_DATA, ...Object.fromEntries(FETCH_DATA_PARAMETERS.map((name) => [name, 'x'])) },
  ],
])('accepts %s', (_, query) => {
  expect(requestSchema.parse(query)).toEqual(query)
  const own = query.request_type === 'verify' ? verifyRequestSchema : fetchDataRequestSchema
  expect(own.parse(query)).toEqual(query)
})

test.each([
  ['no type', {}],
  ['an unknown type', { request_type: 'delete' }],
  ['a handshake without a code', { request_type: 'verify' }],
  ['a handshake with an empty code', { request_type: 'verify', code: '' }],
  ['a number as an ID', { ...FETCH_DATA, account_id: 7 }],
])('rejects %s', (_, query) => {
  expect(requestSchema.safeParse(query).success).toBe(false)
})

test('each schema rejects the other request', () => {
  expect(verifyRequestSchema.safeParse({ ...VERIFY, ...FETCH_DATA }).success).toBe(false)
  expect(fetchDataRequestSchema.safeParse(VERIFY).success).toBe(false)
})
