import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDateTime, isLink, validatePayload } from 'sidecard/schema'
import { checkUri } from '../../../src/runtime/contract/uri.ts'
import { createPayloadJsonSchema } from '../../../scripts/payload-json-schema.ts'
import { rows } from '../../fixtures/payloads/rows.ts'
import { nearPayload } from '../../helpers/payload-arbitraries.ts'

const committed: object = JSON.parse(
  readFileSync(new URL('../../../schema/1.0.0.json', import.meta.url), 'utf8'),
)

test('schema/1.0.0.json matches the zod schemas; npm run generate writes it', () => {
  expect(committed).toEqual(createPayloadJsonSchema())
})

describe('ajv with its own formats', () => {
  const ajv = new Ajv2020({ strict: true })
  addFormats.default(ajv)
  const validate = ajv.compile(committed)

  test.each(rows)('agrees on $name', ({ payload, issue }) => {
    expect(validate(payload)).toBe(issue === undefined)
  })
})

test('ajv with Sidecard’s grammars agrees on any payload', () => {
  const ajv = new Ajv2020({ strict: true })
  ajv.addFormat('uri', isLink)
  ajv.addFormat('date-time', isDateTime)
  const validate = ajv.compile(committed)
  fc.assert(
    fc.property(nearPayload, (value) => {
      const json = toJson(value)
      fc.pre(json !== undefined)
      expect(validate(json)).toBe(validatePayload(json).ok)
    }),
    { numRuns: 2000 },
  )
})

test('the patterns alone reject every http URI without a host, and no valid URI', () => {
  const patterns = JSON.stringify(committed).matchAll(
    /"format":"uri","pattern":("(?:[^"\\]|\\.)+")/g,
  )
  const expressions = Array.from(
    patterns,
    ([, json = '']) => new RegExp(JSON.parse(json) as string),
  )
  expect(expressions).toHaveLength(5)
  const authority = fc.string({
    unit: fc.constantFrom('u', '@', ':', '/', '?', '#', '[', ']', '1', '.', '%0a'),
    maxLength: 8,
  })
  fc.assert(
    fc.property(fc.constantFrom('http://', 'HTTPS://'), authority, (scheme, rest) => {
      const problem = checkUri(scheme + rest)
      fc.pre(problem === undefined || problem === 'host')
      for (const expression of expressions) {
        expect(expression.test(scheme + rest)).toBe(problem === undefined)
      }
    }),
    { numRuns: 5000 },
  )
})

/** Converts a value to JSON, which has neither `undefined` nor cycles. */
function toJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null')
  } catch {
    return undefined
  }
}
