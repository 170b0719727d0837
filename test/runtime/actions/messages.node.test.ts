import { expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES, directionOf } from '../../../src/runtime/actions/messages.ts'

type Create = (...args: readonly string[]) => string

const FUNCTIONS = Object.entries(DEFAULT_ACTION_MESSAGES).filter(
  ([, message]) => typeof message === 'function',
) as [string, Create][]

test.each(FUNCTIONS)('%s names what it is given', (_, create) => {
  const args = ['One', 'Two', 'Three'].slice(0, create.length)
  const text = create(...args)
  for (const arg of args) expect(text).toMatch(new RegExp(`\\b${arg}\\b`))
  expect(text.replaceAll(/One|Two|Three/g, '')).toMatch(/\w/)
})

// Only the readings of an ambiguous number are always known.
test.each(FUNCTIONS.filter(([name]) => name !== 'ambiguousNumber'))(
  '%s is a sentence without an agent',
  (_, create) => {
    const shorter = create('One')
    expect(shorter).toContain('One')
    expect(shorter).not.toMatch(/undefined|Two| {2}| [.:]/)
  },
)

test.each([
  ['ar', 'rtl'],
  ['AR-EG', 'rtl'],
  ['he', 'rtl'],
  ['fa-IR', 'rtl'],
  ['en', 'ltr'],
  ['de-AR', 'ltr'],
  ['arn', 'ltr'],
  ['x-ar', 'ltr'],
])('a page in %s is written %s', (lang, direction) => {
  expect(directionOf(lang)).toBe(direction)
})
