/**
 * `npm run generate`: writes docs/README.md, the list of the documentation, and
 * llms.txt, the same list for coding agents. A test fails if one is out of date.
 */
import { writeFileSync } from 'node:fs'
import { renderDocsIndex, renderLlmsTxt } from './llms-text.ts'

writeFileSync(new URL('../docs/README.md', import.meta.url), renderDocsIndex())
writeFileSync(new URL('../llms.txt', import.meta.url), renderLlmsTxt())
