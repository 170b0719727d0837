/** `npm run generate`: writes the help of each command into docs/cli.md. A test fails if it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { updateCliPage } from './cli-help.ts'

const path = new URL('../docs/cli.md', import.meta.url)
writeFileSync(path, await updateCliPage(readFileSync(path, 'utf8')))
