/**
 * Runs before and after `npm pack`. Removes pictures and relative links from the
 * README, because they do not work on the package page, and writes llms.txt, which
 * only the package contains. `--restore` restores the README, and removes llms.txt.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { renderLlmsTxt } from './llms-text.ts'
import { toPackageReadme } from './package-readme-text.ts'

const README = new URL('../README.md', import.meta.url)
const LLMS = new URL('../llms.txt', import.meta.url)
const SCRATCH = new URL('../.scratch/', import.meta.url)
const ORIGINAL = new URL('README.md', SCRATCH)

if (process.argv.includes('--restore')) {
  writeFileSync(README, readFileSync(ORIGINAL))
  rmSync(ORIGINAL)
  rmSync(LLMS, { force: true })
} else {
  mkdirSync(SCRATCH, { recursive: true })
  // After an interrupted `npm pack`, the original has already been saved.
  if (!existsSync(ORIGINAL)) writeFileSync(ORIGINAL, readFileSync(README))
  writeFileSync(README, toPackageReadme(readFileSync(ORIGINAL, 'utf8')))
  writeFileSync(LLMS, renderLlmsTxt())
}
