import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const find = (...patterns: readonly string[]) => globSync(patterns, { cwd: root })
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}

/** Whether a link leads to a file, and to a heading of it where it names one. */
function leadsSomewhere(target: string): boolean {
  const [path = '', anchor] = target.split('#')
  if (!existsSync(join(root, path))) return false
  return anchor === undefined || anchorsOf(path).includes(anchor)
}

const PAGES = find('*.md', 'docs/**/*.md')
const SOURCES = find('src/**/*.ts', 'src/**/*.tsx')

test('every link between pages leads to a page and a heading that are there', () => {
  const links = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => ({
      page,
      target: link.startsWith('#') ? page + link : join(dirname(page), link),
    })),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ target }) => !leadsSomewhere(target))).toEqual([])
})

test('every page that the sources point to is there, with its heading', () => {
  const links = SOURCES.flatMap((source) =>
    [...read(source).matchAll(/@see (docs\/[^\s*]+)/g)].map(([, target = '']) => ({
      source,
      target,
    })),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ target }) => !leadsSomewhere(target))).toEqual([])
})

test('the README leads to every guide', () => {
  const guides = find('docs/guides/*.md')
  expect(guides.filter((guide) => !read('README.md').includes(`(${guide})`))).toEqual([])
})
