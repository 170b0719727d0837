/**
 * Writes schema/1.0.0.json, the JSON Schema (draft 2020-12) of the payload, from
 * the zod schemas: `npm run generate`. A test fails when the file has drifted.
 */
import { writeFileSync } from 'node:fs'
import { payloadJsonSchema } from './payload-json-schema.ts'

const file = new URL('../schema/1.0.0.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(payloadJsonSchema(), null, 2)}\n`)
