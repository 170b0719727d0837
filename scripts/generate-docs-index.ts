/** `npm run generate`: writes docs/README.md, the list of the documentation. A test fails if it is out of date. */
import { writeFileSync } from 'node:fs'
import { renderDocsIndex } from './llms-text.ts'

writeFileSync(new URL('../docs/README.md', import.meta.url), renderDocsIndex())
