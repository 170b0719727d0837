import { expect, test } from 'vitest'
import { memoryStore } from 'sidecard/cache'

const filterStored = (store: ReturnType<typeof memoryStore>, keys: string) =>
  keys
    .split('')
    .filter((key) => store.get(key) !== undefined)
    .join('')

test('drops the least recently used entry above the maximum number', () => {
  const store = memoryStore({ maxEntries: 2 })
  store.set('a', '1', 60)
  store.set('b', '2', 60)
  expect(store.get('a')).toBe('1')
  store.set('c', '3', 60)
  expect(filterStored(store, 'abc')).toBe('ac')
  store.set('a', '4', 60)
  store.set('d', '5', 60)
  expect([filterStored(store, 'abcd'), store.get('a')]).toEqual(['ad', '4'])
})

test('drops entries above the maximum size, counted as two bytes for each character', () => {
  const store = memoryStore({ maxBytes: 10_000 })
  for (const key of 'abcd') store.set(key, 'x'.repeat(1_500), 60)
  expect(filterStored(store, 'abcd')).toBe('bcd')
  store.set('b', 'x'.repeat(4_000), 60)
  expect(filterStored(store, 'abcd')).toBe('b')
  store.set('b', 'x', 60)
  for (const key of 'cd') store.set(key, 'x'.repeat(1_500), 60)
  expect(filterStored(store, 'abcd')).toBe('bcd')
})

test('drops an entry that exceeds the maximum size, and the previous one with its key', () => {
  const store = memoryStore({ maxBytes: 1_000 })
  store.set('a', 'small', 60)
  store.set('a', 'x'.repeat(1_000), 60)
  expect(store.get('a')).toBeUndefined()
  store.set('b', 'small', 60)
  expect(store.get('b')).toBe('small')
})

test('an entry that is too large does not displace the others', () => {
  const store = memoryStore({ maxBytes: 1_000 })
  store.set('b', 'small', 60)
  store.set('a', 'x'.repeat(1_000), 60)
  expect(store.get('b')).toBe('small')
})

test('counts the overhead of each entry, so that many small entries are limited as well', () => {
  const store = memoryStore({ maxBytes: 3_000 })
  const keys = 'abcdefghijklmnopqrstuvwxyz'
  for (const key of keys) store.set(key, '', 60)
  expect(filterStored(store, keys).length).toBeLessThan(11)
  expect(store.get('z')).toBe('')
})

test.each(['', '\uFEFFa', 'é🙂', '\ud800', 'a\udc00"\\', '\0'])(
  'returns %j as it was stored',
  (text) => {
    const store = memoryStore()
    store.set(text, text, 60)
    expect(store.get(text)).toBe(text)
  },
)

test('entries may fill the bytes exactly', () => {
  // Two bytes for each character, and 300 for each entry.
  const one = memoryStore({ maxBytes: 320 })
  one.set('a', '123456789', 1)
  expect(one.get('a')).toBe('123456789')
  one.set('a', '1234567890', 1)
  expect(one.get('a')).toBeUndefined()
  const two = memoryStore({ maxBytes: 640 })
  two.set('a', '123456789', 1)
  two.set('b', '123456789', 1)
  expect([two.get('a'), two.get('b')]).toEqual(['123456789', '123456789'])
})
