import { expect, test } from 'vitest'
import { divider, section } from 'sidecard'
import { isSection } from '../../../src/runtime/builders/index.ts'

const url = 'https://example.com/a'
const cache = { name: 'errors', fetch: () => Promise.reject(new Error('not called')) }

test('a section keeps its cache and key', () => {
  expect(section('Errors', () => null, { cache, key: ['a', 7] })).toMatchObject({
    cache,
    key: ['a', 7],
  })
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
  expect(isSection({ [Symbol.for('sidecard.section')]: () => undefined })).toBe(true)
  expect(isSection({ [Symbol.for('sidecard.section')]: true })).toBe(false)
})
