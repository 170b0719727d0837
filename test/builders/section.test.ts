import { expect, test } from 'vitest'
import { divider, isSection, section } from 'sidecard'

const url = 'https://example.com/a'
const cache = { name: 'errors', fetch: () => Promise.reject(new Error('not called')) }

test('a section keeps its cache and key', () => {
  expect(section('Errors', () => null, { cache, key: ['a', 7] })).toMatchObject({
    cache,
    key: ['a', 7],
  })
})

test.each<[string, object, string, string]>([
  ['a timeout of 0', { timeoutMs: 0 }, 'options.timeoutMs', 'must be between 1 and 2147483647 ms'],
  ['a negative timeout', { timeoutMs: -1 }, 'options.timeoutMs', 'must be between 1 and'],
  ['a timeout that is too large', { timeoutMs: 2 ** 31 }, 'options.timeoutMs', 'must be between'],
  ['an infinite timeout', { timeoutMs: Infinity }, 'options.timeoutMs', 'must be between 1 and'],
  ['a timeout as text', { timeoutMs: '1500' }, 'options.timeoutMs', 'must be between 1 and'],
  ['a cache without a key', { cache }, 'options.key', 'must be an array, got undefined'],
  ['a key that is no array', { cache, key: 'a' }, 'options.key', 'must be an array, got a string'],
  ['a key without a cache', { key: ['a'] }, 'options.key', 'has no effect without a cache'],
  ['another cache', { cache: {}, key: [] }, 'options.cache', 'must be a section cache'],
  ['a misspelled option', { timeout: 1500 }, 'options', 'has no option "timeout"'],
  ['no object', [], 'options', 'must be an object, got an array'],
])('a section rejects %s', (_, options, path, message) => {
  const create = () => section('Errors', () => null, options)
  const issue = expect.objectContaining({ path, message: expect.stringContaining(message) })
  expect(create).toThrow(
    expect.objectContaining({ name: 'InvalidComponentError', issues: [issue] }),
  )
})

test('a section accepts a millisecond and the maximum delay of a timer as the timeout', () => {
  expect(section('', () => null, { timeoutMs: 1 }).timeoutMs).toBe(1)
  expect(section('', () => null, { timeoutMs: 2 ** 31 - 1 }).timeoutMs).toBe(2_147_483_647)
})

test('a section is a marker, not a component', () => {
  const load = () => [divider()]
  const made = section('Errors', load, { timeoutMs: 1500, icon_url: url })
  expect(isSection(made)).toBe(true)
  expect(made).toMatchObject({ title: 'Errors', load, timeoutMs: 1500, icon_url: url })
  expect(isSection(divider())).toBe(false)
  expect(isSection({ ...divider(), title: 'x', load })).toBe(false)
  expect(isSection(null)).toBe(false)
  // Of another copy of the package.
  expect(isSection({ [Symbol.for('sidecard.section')]: true })).toBe(true)
})
