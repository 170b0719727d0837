import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A fenced block of a page. */
export interface Block {
  readonly page: string
  /** The line of the fence, from 1. */
  readonly line: number
  readonly language: string
  /** The rest of the info string, such as `continued` or `no-check: reason`. */
  readonly info: string
  readonly code: string
}

/** Every page with examples: the documentation, and the READMEs that are copied into projects. */
export const PAGES = globSync(
  [
    'README.md',
    'CONTRIBUTING.md',
    'docs/*.md',
    'docs/guides/*.md',
    'docs/checks/*.md',
    'templates/*/*.md',
    'recipes/*/*.md',
    'examples/*/*.md',
  ],
  { cwd: root },
)
  // test/stack runs its blocks, with the packages that it installs.
  .filter((page) => page !== 'docs/guides/with-your-stack.md')
  .toSorted()

/** Returns the fenced blocks of a page. */
export function readBlocks(page: string): readonly Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```(\w+)(.*)\n([^]*?)^```$/gm)].map((match) => {
    const [, language = '', info = '', code = ''] = match
    const line = text.slice(0, match.index).split('\n').length
    return { page, line, language, info: info.trim(), code }
  })
}
