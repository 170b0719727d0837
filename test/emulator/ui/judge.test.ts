import * as fc from 'fast-check'
import { validatePayload } from 'sidecard/schema'
import { describe, expect, test } from 'vitest'
import { EXAMPLES, exampleText } from '../../../src/emulator/ui/playground/examples.ts'
import { judgeText } from '../../../src/emulator/ui/playground/judge.ts'
import { nearPayload } from '../../helpers/payload-arbitraries.ts'

const linesOf = (text: string) => judgeText(text).problems.map(({ rule, line }) => [rule, line])

describe('the playground', () => {
  test.each([
    ['', 1],
    ['{', 1],
    ['{\n  "version": "1.0.0",\n}', 3],
    ['{\n  // no comments\n}', 2],
    ["{ 'version': '1.0.0' }", 1],
  ])('says at which line %j is no JSON', (text, line) => {
    expect(judgeText(text).outcome).toBe('not_json')
    expect(linesOf(text)).toEqual([['data-json', line]])
  })

  test.each(['null', '[]', '"x"', '1'])('says that %s is no object', (text) => {
    expect(judgeText(text).outcome).toBe('not_an_object')
  })

  test('names the line of a value, of a component without the field, and of the whole', () => {
    const text = `{
  "version": "1.0.0",
  "header": { "title": "x" },
  "components": [
    { "type": "text",
      "label": "x",
      "value": 24 },
    { "type": "badge", "label": "x", "items": [
      { "value": "x", "color": "grey" }
    ] },
    { "type": "link", "label": "x" }
  ]
}`
    expect(linesOf(text)).toEqual([
      ['field-type', 7],
      ['badge-color', 9],
      ['field-required', 11],
    ])
    expect(linesOf('{\n"header": {}, "components": []\n}')[0]).toEqual(['payload-version', 1])
  })

  test('puts what must be fixed before advice', () => {
    const text = '{ "version": "2", "header": {},\n"components": [{ "type": "x" }] }'
    const levels = judgeText(text).problems.map(({ level }) => level)
    expect(levels).toEqual(['MUST', 'ASSUMED', 'ASSUMED'])
  })

  test('refuses what the contract refuses, and nothing more than advice beyond it', () => {
    fc.assert(
      fc.property(nearPayload, (value) => {
        const text = JSON.stringify(value)
        fc.pre(text !== undefined)
        const { outcome } = judgeText(text)
        const options = { unknownFields: 'ignore', uriSchemes: ['http', 'https'] } as const
        const isValid = validatePayload(JSON.parse(text), options).ok
        expect(!isValid || outcome === 'rendered').toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('has examples that show what they are called', () => {
    const outcomes = EXAMPLES.map((example) => [
      example.name,
      judgeText(exampleText(example)).outcome,
    ])
    expect(Object.fromEntries(outcomes)).toEqual({
      'A customer': 'rendered',
      'Every component': 'rendered',
      'Too long to fit': 'rendered',
      'Right-to-left and emoji': 'rendered',
      'An unknown component': 'unknown_component',
      'Common mistakes': 'invalid_payload',
    })
  })
})
