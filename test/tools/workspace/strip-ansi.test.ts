import { expect, test } from 'vitest'
import { stripAnsi } from '../../../src/tools/workspace/parts/console/strip-ansi.ts'

test.each([
  ['\u001B[31mred\u001B[0m', 'red'],
  ['\u001B]8;;https://evil.example\u0007link\u001B]8;;\u0007', 'link'],
  ['a\u0008b\u0000c\rd\te', 'abcd\te'],
  ['鯉 – plain', '鯉 – plain'],
])('shows %j as %j', (text, expected) => {
  expect(stripAnsi(text)).toBe(expected)
})
