import { expect, test } from 'vitest'
import { memoryStore, type StoreAdapter } from 'sidecard/cache'
import { NotAvailableError } from '../../../src/runtime/app/designed-card.ts'
import { n } from '../../helpers/cache-processes.ts'
import {
  createCache,
  createGate,
  createMapStore,
  createScope,
  fetchContent,
  invalidateContent,
} from '../../helpers/cache.ts'

const gone = () => Promise.reject(new NotAvailableError('account_id'))

/** A process with a cache, and a function that opens the section of an account. */
function createProcess(store: StoreAdapter) {
  const cache = createCache({ store, ttlSeconds: 600 }, 'unknown customers')
  const env = {}
  const open = async (account_id: string, load: () => Promise<string> = n(0), url?: string) => {
    const scope = createScope({ env, ids: { account_id }, ...(url !== undefined && { url }) })
    const { text } = await fetchContent(cache, { scope, load })
    await scope.finish()
    return text
  }
  const act = (account_id: string) =>
    invalidateContent(cache, createScope({ env, ids: { account_id } }))
  return { open, act }
}

/** Creates a load that a test ends. */
function hold(load: () => Promise<string>) {
  const [started, gate] = [createGate(), createGate()]
  const wait = async () => (started.open(), await gate.opened, load())
  return { started: started.opened, end: gate.open, load: wait }
}

test('unknown customers inside a section evict no known customer from memory', async () => {
  const { open } = createProcess(memoryStore({ maxEntries: 2 }))
  await open('known', n(1))
  for (const id of ['a', 'b', 'c', 'd']) expect(await open(id, gone)).toBe('failed')
  expect(await open('known')).toBe('hit {"n":1}')
})

test('a customer whom a section no longer finds is not shown from the entry of a different URL', async () => {
  const { open } = createProcess(memoryStore())
  await open('a', n(1), 'https://one.example/')
  await open('a', gone, 'https://two.example/')
  expect(await open('a', n(2), 'https://one.example/')).toBe('miss {"n":2}')
})

test('a customer whom a section no longer finds is not shown from a load that started later', async () => {
  const { open, act } = createProcess(memoryStore())
  const slow = hold(gone)
  const first = open('a', slow.load)
  await slow.started
  await act('a')
  await open('a', n(1))
  slow.end()
  await first
  expect(await open('a', n(2))).toBe('miss {"n":2}')
})

test('a customer whom one process no longer finds is not shown from a load of a different process', async () => {
  const store = createMapStore()
  const [one, two] = [createProcess(store), createProcess(store)]
  const slow = hold(n(1))
  const loading = two.open('a', slow.load)
  await slow.started
  await one.open('a', gone)
  slow.end()
  await loading
  expect([await one.open('a', n(2)), await two.open('a', n(3))]).toEqual([
    'miss {"n":2}',
    'hit {"n":2}',
  ])
})
