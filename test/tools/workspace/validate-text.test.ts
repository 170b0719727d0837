import * as fc from 'fast-check'
import { validatePayload } from 'sidecard/schema'
import { describe, expect, test } from 'vitest'
import { EXAMPLES, exampleText } from '../../../src/tools/workspace/playground/examples.ts'
import { validateText } from '../../../src/tools/workspace/playground/validate-text.ts'
import { nearPayload } from '../../helpers/payload-arbitraries.ts'

const findProblemLines = (text: string) =>
  validateText(text).problems.map(({ rule, line }) => [rule, line])

describe('the playground', () => {
  test.each([
    ['', 1],
    ['{', 1],
    ['{\n  "version": "1.0.0",\n}', 3],
    ['{\n  // no comments\n}', 2],
    ["{ 'version': '1.0.0' }", 1],
  ])('reports the line of a JSON error in %j', (text, line) => {
    expect(validateText(text).outcome).toBe('not_json')
    expect(findProblemLines(text)).toEqual([['data-json', line]])
  })

  test.each(['null', '[]', '"x"', '1'])('reports that %s is not an object', (text) => {
    expect(validateText(text).outcome).toBe('not_an_object')
  })

  test('reports the line of a value, of a component with a missing field, and of the payload', () => {
    const text = `{
  "version": "1.0.0",
  "header": { "title": "x" },
  "components": [
    { "type": "text",
      "label": "x",
      "value": 24 },
    { "type": "badge", "label": "y", "items": [
      { "value": "x", "color": "grey" }
    ] },
    { "type": "link", "label": "z" }
  ]
}`
    expect(findProblemLines(text)).toEqual([
      ['field-type', 7],
      ['badge-color', 9],
      ['field-required', 11],
    ])
    expect(findProblemLines('{\n"header": {}, "components": []\n}')[0]).toEqual([
      'payload-version',
      1,
    ])
  })

  test('lists errors before advice', () => {
    const text = '{ "version": "2", "header": {},\n"components": [{ "type": "x" }] }'
    const levels = validateText(text).problems.map(({ level }) => level)
    expect(levels).toEqual(['MUST', 'ASSUMED', 'ASSUMED'])
  })

  test('agrees with the contract on any payload, except for advice', () => {
    fc.assert(
      fc.property(nearPayload, (value) => {
        const text = JSON.stringify(value)
        fc.pre(text !== undefined)
        const { outcome } = validateText(text)
        const options = { unknownFields: 'ignore', uriSchemes: ['http', 'https'] } as const
        const isValid = validatePayload(JSON.parse(text), options).ok
        expect(!isValid || outcome === 'rendered').toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('has examples that match their names', () => {
    const outcomes = EXAMPLES.map((example) => [
      example.name,
      validateText(exampleText(example)).outcome,
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
