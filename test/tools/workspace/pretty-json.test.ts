import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson } from '../../../src/tools/workspace/core/pretty-json.ts'

test('formats JSON as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!/\[\]|\{\}/.test(text))
      expect(prettyJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
    }),
  )
})

test('keeps every token: large numbers, escapes and empty containers', () => {
  const text = '{"a":12345678901234567890,"b":"\\u0041\\"x","c":[],"d":{},"e":1.0}'
  const pretty = prettyJson(text)
  expect(pretty.replaceAll(/\n\s*|(?<=:) /g, '')).toBe(text)
})

test('does not change other text, and handles deep nesting', () => {
  expect(prettyJson('{ "a": }')).toBe('{ "a": }')
  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  expect(prettyJson(deep).length).toBeLessThan(12_000_000)
})
