/** `npm run generate`: writes docs/troubleshooting.md from the messages in the code. A test fails if it is out of date. */
import { writeFileSync } from 'node:fs'
import { renderTroubleshooting } from './troubleshooting-text.ts'

writeFileSync(new URL('../docs/troubleshooting.md', import.meta.url), renderTroubleshooting())
