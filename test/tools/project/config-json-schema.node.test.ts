import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { createConfigJsonSchema } from '../../../scripts/config-json-schema.ts'

const committed: object = JSON.parse(
  readFileSync(new URL('../../../schema/config.json', import.meta.url), 'utf8'),
)

test('schema/config.json matches the zod schema; npm run generate writes it', () => {
  expect(committed).toEqual(createConfigJsonSchema())
})

test('an editor accepts a project, and finds a misspelled property and a wrong condition', () => {
  const validate = new Ajv2020({ strict: true, strictTypes: false }).compile(committed)
  const ids = { account_id: 'acc_1' }
  expect(
    validate({
      $schema: './node_modules/sidecard/schema/config.json',
      apps: { billing: { url: 'http://localhost:8787', headers: { 'x-secret': 'env:SECRET' } } },
      customers: { Acme: { ids, shows: ['Acme Rockets'] } },
      states: { 'Orders failed': { customer: 'Acme', sections: { Orders: 'failed' } } },
    }),
  ).toBe(true)
  expect(validate({ customers: { Acme: { ids, show: [] } } })).toBe(false)
  expect(validate({ customers: { Acme: { ids: { acount_id: 'a' } } } })).toBe(false)
  expect(validate({ states: { Nobody: { ids, sections: { Orders: 'slow' } } } })).toBe(false)
  expect(validate({ apps: { billing: {} } })).toBe(false)
})
