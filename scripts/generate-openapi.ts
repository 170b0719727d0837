/** Writes `schema/openapi.json` from the table of operations. */
import { writeFile } from 'node:fs/promises'
import { openApiDocument } from '../src/contract/openapi.ts'

const file = new URL('../schema/openapi.json', import.meta.url)
await writeFile(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
