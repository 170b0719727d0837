import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { toPackageReadme } from '../../scripts/package-readme-text.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const find = (...patterns: readonly string[]) => globSync(patterns, { cwd: root })
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Returns the anchors of a page's headings, as GitHub creates them. */
function listAnchors(page: string): readonly string[] {
  return [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}

/** Returns whether the file of a link exists, and its heading if it has one. */
function resolves(target: string): boolean {
  const [path = '', anchor] = target.split('#')
  if (!existsSync(join(root, path))) return false
  return anchor === undefined || listAnchors(path).includes(anchor)
}

const PAGES = find(
  '{.,.github,examples/*,templates/*,recipes/*}/*.md',
  '{docs,src,scripts,test}/**/*.md',
)
const SOURCES = find('src/**/*.ts', 'src/**/*.tsx')

test('every link between pages resolves to a page and a heading', () => {
  const links = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => ({
      page,
      target: link.startsWith('#') ? page + link : join(dirname(page), link),
    })),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ target }) => !resolves(target))).toEqual([])
})

test('every page and heading in a docstring or a message exists', () => {
  const links = SOURCES.flatMap((source) =>
    [...read(source).matchAll(/(docs\/[\w/-]+\.md(?:#[\w-]+)?)/g)].map(([, target = '']) => ({
      source,
      target,
    })),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ target }) => !resolves(target))).toEqual([])
})

test('the README leads to every page, and has at most 900 words', () => {
  const readme = read('README.md')
  expect(readme).toContain('(docs/README.md)')
  expect(readme).toContain('(docs/get-started.md)')
  const prose = readme.replaceAll(/^```[^]*?^```|<[^>]+>/gm, '')
  expect(prose.split(/\s+/).length).toBeLessThanOrEqual(900)
})

test('the README of the package has no pictures and no relative links', () => {
  const readme = toPackageReadme(read('README.md'))
  expect(readme).not.toMatch(/!\[|<img|<picture/)
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !/^(?:https:\/\/|#)/.test(link))).toEqual([])
  const paths = [...readme.matchAll(/\(`([^`]+\.md)`\)/g)].map(([, path = '']) => path)
  expect(paths).toContain('docs/cli.md')
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the pages of the package link to files of the package; it has no pictures', () => {
  const { files } = JSON.parse(read('package.json')) as { files: readonly string[] }
  const folders = files.map((pattern) => pattern.split('/')[0] ?? '')
  const links = find('{docs,src,scripts,test}/**/*.md').flatMap((page) =>
    [...read(page).matchAll(/(?<!!)\[[^\]]*\]\((?!https?:|#)([^)\s#]+)/g)].map(([, link = '']) =>
      join(dirname(page), link),
    ),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((link) => !folders.includes(link.split('/')[0] ?? ''))).toEqual([])
})
