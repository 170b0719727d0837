import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/tools/cli/commands/index.ts'
import { EXIT_CODES } from '../../src/tools/cli/exit-codes.ts'
import { cli } from '../helpers/cli.ts'
import { root } from '../installed/root.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** Two examples are generated from the templates, whose pages are counted. */
const exclude = (path: string) => /node_modules|^\.|\/\.|^examples\/\w+-\w+$/.test(path)
const PAGES = [
  ...new Set([
    ...globSync('docs/**/*.md', { cwd: root }),
    ...globSync('**/README.md', { cwd: root, exclude }),
  ]),
]
const GUIDES = PAGES.filter((page) => page.startsWith('docs/guides/'))
const GENERATED = /^docs\/(?:checks\/|reference\.md|troubleshooting\.md|README\.md)/
const BY_HAND = PAGES.filter((page) => !GENERATED.test(page))

const CODE = /^ *```[^]*?^ *```$/gm
const proseOf = (page: string) => read(page).replaceAll(CODE, '')
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length
const countWords = (page: string) =>
  proseOf(page)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length
const sum = (numbers: readonly number[]) => numbers.reduce((left, right) => left + right, 0)

/** The inline code of a page, with the page for the report. */
const SPANS = BY_HAND.flatMap((page) =>
  [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => ({ page, code })),
)

test('the documentation has at most 33,800 words', () => {
  const words = sum(PAGES.map(countWords))
  // oxlint-disable-next-line no-console -- the figures are for the reader of a run
  console.log(`${words} words on ${PAGES.length} pages`)
  expect(words).toBeGreaterThan(10_000)
  expect(words).toBeLessThanOrEqual(33_800)
})

test('a guide has at most 1,000 words', () => {
  expect(GUIDES.length).toBeGreaterThan(10)
  expect(GUIDES.filter((page) => countWords(page) > 1_000)).toEqual([])
})

test('the guides have at least 0.35 lines of code per line of text', () => {
  const text = sum(GUIDES.map((page) => linesOf(proseOf(page))))
  const all = sum(GUIDES.map((page) => linesOf(read(page).replaceAll(/^ *```.*$/gm, ''))))
  expect((all - text) / text).toBeGreaterThanOrEqual(0.35)
})

test('the first example of the README is a whole app in at most 12 lines, which needs no other file', () => {
  const [before = '', code = ''] = read('README.md').split(/```ts[^\n]*\n([^]*?)\n```/)
  expect(before.match(/^#+ /gm)).toHaveLength(1)
  expect(code.split('\n').length).toBeLessThanOrEqual(12)
  for (const name of ['sidecard', 'identify', 'secretHeader']) expect(code).toContain(`${name}(`)
  expect([...code.matchAll(/from '([^']+)'/g)].map(([, from]) => from)).toEqual(['sidecard'])
})

/** Flags of node, docker and `npm run mutation`. */
const OTHER_FLAGS = ['--watch', '--hot', '--volume', '--survivors', '--continue', '--record']

test('every flag of a page is one of the command line', async () => {
  const helps: string[] = []
  for (const name of COMMANDS.keys()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in one process
    helps.push((await cli([name, '--help'])).stdout)
  }
  const known = new Set([...(helps.join('\n').match(/--[\w-]+/g) ?? []), ...OTHER_FLAGS])
  const used = SPANS.filter(({ code }) => /^(?:--|(?:npx )?sidecard )/.test(code)).flatMap(
    ({ page, code }) => (code.match(/(?<![\w-])--[a-z][\w-]*/g) ?? []).map((flag) => [page, flag]),
  )
  expect(used.length).toBeGreaterThan(25)
  expect(used.filter(([, flag = '']) => !known.has(flag))).toEqual([])
})

test('every option with a unit is in the code', () => {
  const source = globSync('src/**/*.ts', { cwd: root }).map(read).join('\n')
  const used = SPANS.filter(({ code }) => /^[a-z]+[a-zA-Z]*(?:Ms|Seconds|Bytes)$/.test(code))
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter(({ code }) => !new RegExp(`\\b${code}\\b`).test(source))).toEqual([])
})

test('every default of a page is the one of the reference', () => {
  const defaults = new Map<string, number[]>()
  const listed = read('docs/reference.md').matchAll(/^- `(\w+)`, default `?([\d_]+)/gm)
  for (const [, name = '', value = ''] of listed) {
    defaults.set(name, [...(defaults.get(name) ?? []), Number(value.replaceAll('_', ''))])
  }
  const used = BY_HAND.flatMap((page) =>
    [...proseOf(page).matchAll(/`(\w+)`(?: \(| is |, which is )([\d,]+)( seconds)?/g)].flatMap(
      ([text, name = '', value = '', unit]) => {
        const number = Number(value.replaceAll(',', '')) * (unit && name.endsWith('Ms') ? 1_000 : 1)
        return defaults.has(name) ? [{ page, text, name, number }] : []
      },
    ),
  )
  expect(used.length).toBeGreaterThan(4)
  expect(used.filter(({ name, number }) => !defaults.get(name)?.includes(number))).toEqual([])
})

test('the dependencies of the package are those of the page for architects', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object }
  const [, sentence = ''] =
    /\*\*Dependencies\.\*\* (.+?)\. /.exec(read('docs/how-it-works.md')) ?? []
  const named = [...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
  expect(new Set(named)).toEqual(new Set(Object.keys(dependencies)))
})

test('every exit code of a page is one of the command line', () => {
  const known: readonly number[] = Object.values(EXIT_CODES)
  const table = [...proseOf('docs/cli.md').matchAll(/^\| (\d+) +\|/gm)].map(([, code]) =>
    Number(code),
  )
  expect(table).toEqual(known)
  const texts = BY_HAND.filter((page) => page !== 'docs/guides/deploy.md')
  const used = texts.flatMap((page) =>
    [...proseOf(page).matchAll(/\bexit(?:s with|ed with)?(?: code)?(?: is)? (\d+)/gi)].map(
      ([, code]) => [page, Number(code)] as const,
    ),
  )
  expect(used.length).toBeGreaterThan(2)
  expect(used.filter(([, code]) => !known.includes(code))).toEqual([])
})
