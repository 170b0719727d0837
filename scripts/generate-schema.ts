/**
 * `npm run generate`: writes schema/1.0.0.json, the JSON Schema (draft 2020-12) of
 * the payload, from the zod schemas. A test fails if it is out of date.
 */
import { writeFileSync } from 'node:fs'
import { createPayloadJsonSchema } from './payload-json-schema.ts'

const file = new URL('../schema/1.0.0.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(createPayloadJsonSchema(), null, 2)}\n`)
