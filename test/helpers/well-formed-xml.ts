import { expect } from 'vitest'

const CHARACTERS = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u
const NAME = String.raw`[A-Za-z_][\w.-]*`
const TEXT = String.raw`(?:[^<&>]|&(?:amp|lt|gt|quot|#39);)`
const ATTRIBUTES = String.raw`(?:\s+${NAME}="(?:[^<&"]|&(?:amp|lt|gt|quot|#39);)*")*\s*`
const TOKEN = new RegExp(
  String.raw`(?<text>${TEXT}+)|</(?<close>${NAME})\s*>|<(?<open>${NAME})${ATTRIBUTES}(?<empty>/?)>`,
  'y',
)

/** Fails unless the text is a well-formed XML document without special constructs. */
export function expectWellFormed(xml: string): void {
  expect(xml).toMatch(CHARACTERS)
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  expect(xml.startsWith(declaration)).toBe(true)
  const open: string[] = []
  TOKEN.lastIndex = declaration.length
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex
    const groups = TOKEN.exec(xml)?.groups
    if (groups === undefined) expect.fail(`not XML: ${JSON.stringify(xml.slice(at, at + 80))}`)
    if (groups['close'] !== undefined) expect(open.pop()).toBe(groups['close'])
    if (groups['open'] !== undefined && groups['empty'] === '') open.push(groups['open'])
  }
  expect(open).toEqual([])
}
