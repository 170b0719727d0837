/**
 * `npm run generate`: writes schema/openapi.json from the table of operations. A
 * test fails if it is out of date.
 */
import { writeFile } from 'node:fs/promises'
import { createOpenApiDocument } from './openapi-document.ts'

const file = new URL('../schema/openapi.json', import.meta.url)
await writeFile(file, `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`)
