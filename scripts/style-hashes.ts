/**
 * `node scripts/style-hashes.ts`: writes the hash of each style sheet next to it. A
 * test fails if one is out of date.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const FILES = [
  'src/runtime/render/html-style.ts',
  'src/runtime/render/states-page.ts',
  'src/runtime/actions/page/page-style.ts',
]

for (const file of FILES) {
  const url = new URL(`../${file}`, import.meta.url)
  const source = readFileSync(url, 'utf8')
  const css = /css: `([^`]*)`/.exec(source)?.[1] ?? ''
  const hash = createHash('sha256').update(css).digest('base64')
  writeFileSync(url, source.replace(/hash: '[^']*'/, `hash: '${hash}'`))
}
