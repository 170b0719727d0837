/** `npm run generate`: writes docs/reference.md, the list of exports. A test fails if it is out of date. */
import { writeFileSync } from 'node:fs'
import { renderReference } from './reference-text.ts'

writeFileSync(new URL('../docs/reference.md', import.meta.url), renderReference())
