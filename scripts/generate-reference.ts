/** Writes docs/reference.md, the list of every export: `npm run generate`. A test fails when it has drifted. */
import { writeFileSync } from 'node:fs'
import { referenceText } from './reference-text.ts'

writeFileSync(new URL('../docs/reference.md', import.meta.url), referenceText())
