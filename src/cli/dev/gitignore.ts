import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Pattern {
  readonly matches: RegExp
  readonly negated: boolean
  readonly directoriesOnly: boolean
}

/**
 * Creates a test for paths that git ignores, based on the `.gitignore` files of a
 * folder and its subfolders. It reads the files on every call, because they may
 * change and calls are rare.
 *
 * @returns a function of a path relative to the folder, with forward slashes
 */
export function createIgnoreTest(folder: string): (path: string) => boolean {
  return (path) => {
    const names = path.split('/')
    // Git cannot include a file again if its folder is ignored.
    return names.some((_name, index) =>
      isExcluded(folder, names.slice(0, index + 1), index < names.length - 1),
    )
  }
}

function isExcluded(folder: string, names: readonly string[], isDirectory: boolean): boolean {
  let excluded = false
  for (let depth = 0; depth < names.length; depth += 1) {
    const patterns = readPatterns(join(folder, ...names.slice(0, depth), '.gitignore'))
    const relative = names.slice(depth).join('/')
    for (const { matches, negated, directoriesOnly } of patterns) {
      if (directoriesOnly && !isDirectory) continue
      if (matches.test(relative)) excluded = !negated
    }
  }
  return excluded
}

function readPatterns(file: string): readonly Pattern[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/).flatMap(parsePattern)
  } catch {
    return []
  }
}

function parsePattern(line: string): readonly Pattern[] {
  const text = line.replace(/(?<!\\) +$/, '')
  if (text === '' || text.startsWith('#')) return []
  const negated = text.startsWith('!')
  const body = negated ? text.slice(1) : text
  const directoriesOnly = body.endsWith('/')
  const glob = directoriesOnly ? body.slice(0, -1) : body
  if (glob === '') return []
  // Without a slash in the middle, a pattern matches at any depth.
  const anchored = glob.includes('/')
  const prefix = anchored ? '' : '(?:.*/)?'
  try {
    const source = toRegExpSource(glob.replace(/^\//, ''))
    return [{ matches: new RegExp(`^${prefix}${source}$`), negated, directoriesOnly }]
  } catch {
    // Git also skips a pattern that it cannot parse.
    return []
  }
}

const TOKENS = /\\(.)|(^|\/)\*\*(?:\/|$)|\*+|\?|\[(!|\^)?(\]?[^\]]*)\]|[^\\*?[]/g

function toRegExpSource(glob: string): string {
  return glob.replaceAll(
    TOKENS,
    (token, escaped?: string, before?: string, negation?: string, set?: string) => {
      if (escaped !== undefined) return escapeRegExp(escaped)
      if (before !== undefined) return token.endsWith('/') ? `${before}(?:.*/)?` : `${before}.+`
      if (token.startsWith('*')) return '[^/]*'
      if (token === '?') return '[^/]'
      if (set !== undefined) return `[${negation === undefined ? '' : '^/'}${escapeSet(set)}]`
      return escapeRegExp(token)
    },
  )
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}

function escapeSet(text: string): string {
  return text.replaceAll(/[[\]^]/g, String.raw`\$&`)
}
