/** Writes the pages of docs/checks from the rules: `npm run generate`. A test fails when one has drifted. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { checkDocs } from './check-docs.ts'

const folder = new URL('../docs/checks/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, page] of checkDocs()) writeFileSync(new URL(name, folder), page)
