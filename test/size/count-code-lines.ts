import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript-5'

const root = new URL('../../', import.meta.url)

/** Counts the lines of TypeScript, TSX and CSS files that have a token: no comments and no blank lines. */
export function countCodeLines(...patterns: readonly string[]): number {
  return listFiles(patterns, /\.(?:[mc]?tsx?|css)$/).reduce((sum, file) => sum + countFile(file), 0)
}

const counted = new Map<string, number>()

function countFile(file: string): number {
  const known = counted.get(file)
  if (known !== undefined) return known
  const source = readFileSync(new URL(file, root), 'utf8')
  const count = file.endsWith('.css') ? countCss(source) : countTypeScript(file, source)
  counted.set(file, count)
  return count
}

/** Counts the lines of JSON files that are not blank. */
export function countJsonLines(...patterns: readonly string[]): number {
  return listFiles(patterns, /\.json$/).reduce(
    (sum, file) => sum + countLines(readFileSync(new URL(file, root), 'utf8')),
    0,
  )
}

function listFiles(patterns: readonly string[], extension: RegExp): readonly string[] {
  return globSync(patterns, { cwd: root.pathname }).filter(
    (file) => extension.test(file) && !file.includes('node_modules'),
  )
}

const countLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length

/** The texts of a file in which `//` and `/*` are no comment. */
function findTexts(file: ts.SourceFile): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      const [start, end] = [node.getStart(file), node.getEnd()]
      if (end > start) ends.set(start, end)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return ends
}

/** Counts with the parser: in a string, a template or JSX, `//` is no comment. */
export function countTypeScript(name: string, source: string): number {
  const texts = findTexts(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true))
  let code = ''
  let index = 0
  while (index < source.length) {
    const text = texts.get(index)
    const next = text ?? endOfComment(source, index)
    if (text !== undefined || next === undefined) code += source.slice(index, next ?? index + 1)
    index = next ?? index + 1
  }
  return countLines(code)
}

function endOfComment(source: string, start: number): number | undefined {
  const mark = source.slice(start, start + 2)
  if (mark !== '//' && mark !== '/*') return undefined
  const end = mark === '//' ? source.indexOf('\n', start) : source.indexOf('*/', start) + 2
  return end < 2 ? source.length : end
}

/** A comment is removed, and a string that looks like one stays. */
export function countCss(source: string): number {
  return countLines(
    source.replaceAll(
      /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\/\*[^]*?\*\//g,
      (_all, text = '') => text,
    ),
  )
}
