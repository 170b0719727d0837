import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
const tracer = new URL('../helpers/trace-files.ts', import.meta.url).pathname

test('docs/architecture.md leads through files that a data fetch enters, in ten lines', () => {
  const [, rest = ''] = page.split('## A data fetch in ten lines\n')
  const [lines = ''] = rest.split('\n## ')
  const named = [...lines.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => `runtime/${file}`)
  const entered: unknown = JSON.parse(execFileSync('node', [tracer], { encoding: 'utf8' }))
  expect(lines.trim().split('\n')).toHaveLength(10)
  expect(named.length).toBeGreaterThanOrEqual(10)
  expect(entered).toEqual(expect.arrayContaining(named))
})
