import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/runtime/contract/operations.ts'
import { createOpenApiDocument } from '../../scripts/openapi-document.ts'

const committed = readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8')

test('schema/openapi.json matches the table of operations; npm run generate writes it', () => {
  expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(createOpenApiDocument())))
})

test('a public linter reports no problems', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: committed, config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

describe('every assumption is marked', () => {
  const text = JSON.stringify(createOpenApiDocument())

  test.each(['A11', 'A12', 'A13', 'A14'])('%s', (id) => {
    expect(text).toContain(`"x-assumption":"${id}"`)
  })

  test('on every parameter that no operation of the table has', () => {
    const known = new Set(
      Object.values(OPERATIONS).flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    )
    const assumed = Object.values(createOpenApiDocument().paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ name }) => !known.has(name as never))
    expect(assumed.length).toBeGreaterThan(0)
    expect(assumed).toEqual(assumed.map((each) => ({ ...each, 'x-assumption': 'A11' })))
  })
})
