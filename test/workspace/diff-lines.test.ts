import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines } from '../../src/workspace/inspector/diff-lines.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 30 })

test('a diff contains both texts in order', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffLines(before.join('\n'), after.join('\n')) ?? []
      const side = (hidden: string) =>
        diff.filter(({ kind }) => kind !== hidden).map(({ text }) => text)
      expect(side('added')).toEqual(before)
      expect(side('removed')).toEqual(after)
    }),
  )
})

test('equal texts have no differences, and huge texts are not compared', () => {
  expect(diffLines('a\nb', 'a\nb')?.every(({ kind }) => kind === 'same')).toBe(true)
  const text = (prefix: string) => Array.from({ length: 9_000 }, (_, at) => prefix + at).join('\n')
  expect(diffLines(text('a'), text('b'))).toBeNull()
})
