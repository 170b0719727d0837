/**
 * `npm run generate`: writes the pages of docs/checks from the rules. A test
 * fails if one is out of date.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { renderCheckDocs } from './check-docs.ts'

const folder = new URL('../docs/checks/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, page] of renderCheckDocs()) writeFileSync(new URL(name, folder), page)
