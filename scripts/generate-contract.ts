/**
 * `npm run generate`: writes src/runtime/contract/generated from the zod schemas of
 * src/runtime/contract/payload.ts. A test fails if a file is out of date.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { renderContractFiles } from './contract/generated-files.ts'

const folder = new URL('../src/runtime/contract/generated/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, source] of Object.entries(renderContractFiles())) {
  writeFileSync(new URL(name, folder), source)
}
