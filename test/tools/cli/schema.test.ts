import { expect, test } from 'vitest'
import { cli } from '../../helpers/cli.ts'

test('prints the JSON Schema of the payload', async () => {
  const { exitCode, stdout } = await cli(['schema'])
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout).$schema).toBe('https://json-schema.org/draft/2020-12/schema')
})
