import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countCodeLines, countCss, countJsonLines, countTypeScript } from './count-code-lines.ts'

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
const [, section = ''] = /\n## Budgets\n([^]*?)\n## /.exec(page) ?? []

/** The rows of both tables in docs/architecture.md: the folders of a group, and its number. */
const BUDGETS = [...section.matchAll(/^\| (`[^|]+`) +\| +([\d,]+) +\|$/gm)].map(
  ([, folders = '', number = '']) => ({
    folders: [...folders.matchAll(/`([\w./]+)`/g)].map(([, name = '']) => name),
    budget: Number(number.replaceAll(',', '')),
  }),
)

const inFolders = (folders: readonly string[]) =>
  countCodeLines(...folders.map((name) => (name.endsWith('.ts') ? name : `${name}/**`)))

/** The folders and the code files directly in a folder. */
const list = (folder: string) =>
  readdirSync(new URL(`../../${folder}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || /\.tsx?$/.test(entry.name))
    .map(({ name }) => `${folder}/${name}`)

test.each(['src', 'test'])('every folder of %s has a budget, and only one', (root) => {
  const halves = [`${root}/runtime`, `${root}/tools`]
  const others = list(root).filter((path) => !halves.includes(path))
  const folders = [...others, ...halves.flatMap(list)]
  const budgeted = BUDGETS.flatMap((row) => row.folders).filter((name) => name.startsWith(root))
  expect(budgeted.toSorted()).toEqual(folders.toSorted())
})

test.each(BUDGETS)('$folders have at most $budget code lines', ({ folders, budget }) => {
  const counted = inFolders(folders)
  // oxlint-disable-next-line no-console -- the figures are for the reader of a run
  console.log(`${folders.join(', ')}: ${counted} of ${budget} code lines`)
  expect(counted).toBeGreaterThan(0)
  expect({ fits: counted <= budget, counted }).toMatchObject({ fits: true })
})

test('all code lines are counted', () => {
  const sumOf = (root: string) =>
    BUDGETS.filter(({ folders }) => folders[0]?.startsWith(root)).reduce(
      (total, { folders }) => total + inFolders(folders),
      0,
    )
  const sums = { src: sumOf('src'), test: sumOf('test') }
  expect(sums).toEqual({ src: countCodeLines('src/**'), test: countCodeLines('test/**') })
  const elsewhere = {
    'src, generated (in the budgets)': countCodeLines('src/**/generated/**'),
    'src, JSON': countJsonLines('src/**'),
    scripts: countCodeLines('scripts/**'),
    bench: countCodeLines('bench/**'),
    site: countCodeLines('site/**', 'site/.vitepress/**'),
    templates: countCodeLines('templates/**'),
    recipes: countCodeLines('recipes/**'),
    examples: countCodeLines('examples/**'),
  }
  // oxlint-disable-next-line no-console -- as above
  console.log('code lines', sums, elsewhere)
})

describe('a code line', () => {
  test.each<[string, string, number]>([
    ['is no comment and no blank line', '// a\n\n/* b\n c */\n/** d */\nf() // e\n', 1],
    ['may contain what looks like a comment', "const a = '/*'\nconst b = `\n// c\n\n*/`\n", 4],
    ['may be JSX', "const a = (\n  <a>\n    // it's\n    {/* no */}\n  </a>\n)\n", 6],
    ['may be a regular expression', 'const a = /\\/*x/\nconst b = 1\n', 2],
  ])('%s', (_name, source, lines) => {
    expect(countTypeScript('a.tsx', source)).toBe(lines)
  })

  test('of a style sheet is no comment', () => {
    expect(countCss('/* a\n b */\n.a { content: "/*"; }\n\n.b { top: 0 } /* c */\n')).toBe(2)
  })
})
