import { expect, test } from 'vitest'
import { kvStore, memoryStore, redisStore, sectionCache, storageStore } from 'sidecard/cache'
import { isSidecardError } from '../../../src/runtime/internal/errors.ts'
import { uniqueName } from '../../helpers/cache.ts'

const store = memoryStore()

function catchMessage(create: () => unknown): string {
  try {
    create()
  } catch (error) {
    return isSidecardError(error) ? `${error.code}: ${error.message}` : String(error)
  }
  return 'nothing was thrown'
}

const TTL = 'ttlSeconds must be a positive number, up to 100 years.'
const STALE = 'staleSeconds must be 0 or a positive number, up to 100 years.'
const STORE = 'store must be a store, such as memoryStore(), or a function of env.'
const STORE_TIMEOUT = 'storeTimeoutMs must be an integer from 1 to 60000 (milliseconds).'
const NAME = 'must be a non-empty string.'
const AWAIT = 'store is a promise: await it.'
const CENTURY = 3_155_760_000

const COMMON: [string, Record<string, unknown>, string][] = [
  ['no TTL', { store }, TTL],
  ['a TTL of 0', { store, ttlSeconds: 0 }, TTL],
  ['a negative TTL', { store, ttlSeconds: -1 }, TTL],
  ['a TTL of NaN', { store, ttlSeconds: Number.NaN }, TTL],
  ['an endless TTL', { store, ttlSeconds: Infinity }, TTL],
  ['a TTL of more than a century', { store, ttlSeconds: CENTURY + 1 }, TTL],
  ['a TTL in a string', { store, ttlSeconds: '60' }, TTL],
  ['a negative stale time', { store, ttlSeconds: 1, staleSeconds: -1 }, STALE],
  ['null for stale time', { store, ttlSeconds: 1, staleSeconds: null }, STALE],
  ['a stale time in a string', { store, ttlSeconds: 1, staleSeconds: '1' }, STALE],
  ['no store', { ttlSeconds: 1 }, STORE],
  ['null as store', { store: null, ttlSeconds: 1 }, STORE],
  ['half a store', { store: { get() {} }, ttlSeconds: 1 }, STORE],
  ['a store in a promise', { store: Promise.resolve(store), ttlSeconds: 1 }, AWAIT],
  ['no store timeout', { store, ttlSeconds: 1, storeTimeoutMs: 0 }, STORE_TIMEOUT],
  ['a store timeout in a string', { store, ttlSeconds: 1, storeTimeoutMs: '5' }, STORE_TIMEOUT],
  ['a store timeout with a fraction', { store, ttlSeconds: 1, storeTimeoutMs: 1.5 }, STORE_TIMEOUT],
  ['a long store timeout', { store, ttlSeconds: 1, storeTimeoutMs: 60_001 }, STORE_TIMEOUT],
  ['an unknown option', { store, ttl: 60 }, 'there is no option "ttl". Did you mean ttlSeconds?'],
  [
    'the start of an option',
    { store, stale: 60 },
    'there is no option "stale". Did you mean staleSeconds?',
  ],
]

test.each(COMMON)('sectionCache rejects %s', (_, options, message) => {
  const name = uniqueName()
  expect(catchMessage(() => sectionCache({ name, ...options } as never))).toBe(
    `invalid_options: sectionCache: ${message}`,
  )
  // An invalid option does not use the name up.
  expect(sectionCache({ name, store, ttlSeconds: 1 }).name).toBe(name)
})

test.each([
  { ttlSeconds: CENTURY, staleSeconds: CENTURY },
  { ttlSeconds: 0.001, staleSeconds: 0 },
  { ttlSeconds: 1, storeTimeoutMs: 1 },
  { ttlSeconds: 1, storeTimeoutMs: 60_000 },
])('sectionCache accepts %j', (options) => {
  expect(catchMessage(() => sectionCache({ name: uniqueName(), store, ...options }))).toBe(
    'nothing was thrown',
  )
})

test.each([undefined, '', '  ', 7, Symbol('a')])('sectionCache rejects the name %s', (name) => {
  const options = { name: name as never, store, ttlSeconds: 1 }
  expect(catchMessage(() => sectionCache(options))).toBe(
    `invalid_options: sectionCache: name ${NAME}`,
  )
})

test('a store in a promise that rejects does not end the process', () => {
  const pending = Promise.reject(new Error('late')) as never
  const options = { name: uniqueName(), store: pending, ttlSeconds: 1 }
  expect(catchMessage(() => sectionCache(options))).toBe(`invalid_options: sectionCache: ${AWAIT}`)
})

test.each([
  { maxEntries: 0 },
  { maxBytes: 1.5 },
  { maxEntries: '9' as never },
  { maxEntries: Infinity },
])('memoryStore rejects %j', (limits) => {
  const [name] = Object.keys(limits)
  expect(catchMessage(() => memoryStore(limits))).toBe(
    `invalid_options: memoryStore: ${name} must be a positive integer.`,
  )
})

test.each([
  ['kvStore', kvStore],
  ['redisStore', redisStore],
  ['storageStore', storageStore],
])('%s says that a promise must be awaited', (name, create) => {
  const client = Promise.reject(new Error('no connection'))
  expect(catchMessage(() => create(client as never))).toBe(
    `invalid_options: ${name}: the argument is a promise: await it.`,
  )
})

const half = (...names: string[]) => Object.fromEntries(names.map((name) => [name, () => {}]))

test.each([undefined, null, 'KV', {}, half('get'), half('put'), half('set', 'get')])(
  'kvStore rejects %o',
  (namespace) => {
    expect(catchMessage(() => kvStore(namespace as never))).toBe(
      'invalid_options: kvStore: the argument must be a KV namespace: check the name of the binding.',
    )
  },
)

test.each([undefined, half('get'), half('setEx'), half('setex'), half('get', 'set')])(
  'redisStore rejects %o',
  (client) => {
    expect(catchMessage(() => redisStore(client as never))).toBe(
      'invalid_options: redisStore: the argument must be a client of the redis or the ioredis package.',
    )
  },
)

test.each([null, half('getItem'), half('setItem'), half('get', 'set')])(
  'storageStore rejects %o',
  (storage) => {
    expect(catchMessage(() => storageStore(storage as never))).toBe(
      'invalid_options: storageStore: the argument must be an unstorage storage.',
    )
  },
)
