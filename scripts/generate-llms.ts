/**
 * `npm run generate`: writes llms.txt, the list of the documentation for coding
 * agents. A test fails if it is out of date.
 */
import { writeFileSync } from 'node:fs'
import { renderLlmsTxt } from './llms-text.ts'

writeFileSync(new URL('../llms.txt', import.meta.url), renderLlmsTxt())
