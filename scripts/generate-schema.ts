/**
 * `npm run generate`: writes the JSON Schemas (draft 2020-12) of the payload and
 * of `sidecard.json` from the zod schemas. A test fails if one is out of date.
 */
import { writeFileSync } from 'node:fs'
import { createConfigJsonSchema } from './config-json-schema.ts'
import { createPayloadJsonSchema } from './payload-json-schema.ts'

const schemas = { '1.0.0': createPayloadJsonSchema(), config: createConfigJsonSchema() }
for (const [name, schema] of Object.entries(schemas)) {
  const file = new URL(`../schema/${name}.json`, import.meta.url)
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
}
