import { writeFileSync } from 'node:fs'
import { createLinterConfig } from './layer-rules.ts'

writeFileSync(new URL('../.oxlintrc.json', import.meta.url), createLinterConfig())
