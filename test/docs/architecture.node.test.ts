import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url).pathname
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
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

test('docs/architecture.md names only files that exist', () => {
  const files = [...page.matchAll(/`([\w-]+\/[\w./-]+\.(?:tsx?|css))`/g)].map(
    ([, file = '']) => file,
  )
  expect(files.length).toBeGreaterThan(40)
  const folders = ['', 'src', 'src/runtime', 'src/tools/emulator', 'src/tools/workspace']
  const exists = (file: string) => folders.some((folder) => existsSync(join(root, folder, file)))
  expect(files.filter((file) => !exists(file))).toEqual([])
})

test('docs/architecture.md lists twelve files to read, which have about 1,700 lines', () => {
  const [, list = ''] = /## Read these twelve files([^]*?)\n## /.exec(page) ?? []
  const files = [...list.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file)
  expect(files).toHaveLength(12)
  const counts = files.map(
    (file) => readFileSync(join(root, 'src/runtime', file), 'utf8').split('\n').length - 1,
  )
  const total = counts.reduce((sum, count) => sum + count, 0)
  expect([total, total >= 1_500 && total <= 1_900]).toEqual([total, true])
})

test('a folder of src has at most 25 files', () => {
  const counts = new Map<string, number>()
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    const folder = relative(root, entry.parentPath)
    if (entry.isFile()) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  expect(counts.size).toBeGreaterThan(50)
  expect([...counts].filter(([, count]) => count > 25)).toEqual([])
})
