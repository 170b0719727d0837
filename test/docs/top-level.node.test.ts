import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../installed/root.ts'

const file = (name: string) => new URL(`../../${name}`, import.meta.url)

test.each([
  'package.json',
  'tsconfig.json',
  'src',
  'templates',
  'test',
  'wrangler.toml',
  'README.md',
  'CHANGELOG.md',
])('the top level of the repository has %s', (name) => {
  expect(existsSync(file(name))).toBe(true)
})

test.each(['npm ci && npm start', 'npm ci && npm test'])('the README names %s', (command) => {
  expect(readFileSync(file('README.md'), 'utf8')).toContain(command)
})

test('the README names the file to edit, which exists', () => {
  const text = readFileSync(file('README.md'), 'utf8')
  const [, path = ''] = /Edit `(\S+)`, and the sidebar updates/.exec(text) ?? []
  expect([path, existsSync(file(path))]).toEqual([expect.stringContaining('sidebar.ts'), true])
})

test('the package contains its changelog', () => {
  const { files } = JSON.parse(readFileSync(file('package.json'), 'utf8'))
  expect(files).toContain('CHANGELOG.md')
})

test('the repository is easy to survey: few files, npm scripts and words for contributors', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim()
  const entries = new Set(tracked.split('\n').map((path) => path.split('/')[0]))
  expect(entries.size).toBeLessThanOrEqual(27)
  const { scripts } = JSON.parse(readFileSync(file('package.json'), 'utf8')) as { scripts: object }
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(17)
  const words = readFileSync(file('CONTRIBUTING.md'), 'utf8').trim().split(/\s+/)
  expect(words.length).toBeLessThanOrEqual(700)
})
