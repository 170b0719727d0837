import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
const tracer = new URL('../helpers/trace-files.ts', import.meta.url).pathname

/** Returns the files of the numbered list that follows a text. */
function listFiles(before: string): string[] {
  const [, rest = ''] = page.split(before)
  const [list = ''] = rest.trimStart().split(/\n\n(?!\d+\. )/)
  return [...list.matchAll(/^\d+\. `([\w/-]+\.ts)`/gm)].map(([, file = '']) => file)
}

test('docs/architecture.md walks a data fetch through every file that it enters', () => {
  const { literals, identified } = JSON.parse(execFileSync('node', [tracer], { encoding: 'utf8' }))
  const walk = listFiles('one warm request.')
  const more = listFiles('it also enters:')
  expect(walk.toSorted()).toEqual(literals)
  expect(more.toSorted()).toEqual(identified.filter((file: string) => !walk.includes(file)))
})
