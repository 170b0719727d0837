/** `npm run generate`: writes the table of options in docs/options.md. A test fails if it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { updateOptionsPage } from './options-text.ts'

const path = new URL('../docs/options.md', import.meta.url)
writeFileSync(path, updateOptionsPage(readFileSync(path, 'utf8')))
