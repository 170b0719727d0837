/**
 * Writes llms.txt, the list of the documentation for readers that are programs,
 * from the titles of the pages: `npm run generate`. A test fails when it has drifted.
 */
import { writeFileSync } from 'node:fs'
import { llmsText } from './llms-text.ts'

writeFileSync(new URL('../llms.txt', import.meta.url), llmsText())
