import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** Git ignores letter case on systems whose file systems usually do. */
const OPTIONS = { ignoreCase: process.platform !== 'linux', allowRelativePaths: true }

/**
 * Finds the files of a project that git ignores, by the `.gitignore` files of a folder, of its subfolders, and of its parents
 * up to the root of the repository.
 */
export function createGitIgnored(folder: string) {
  const root = findRepository(folder)
  const parents = relative(root, resolve(folder)).split(sep).filter(Boolean)
  const known = new Map<string, Ignore | undefined>()

  function patterns(directory: string): Ignore | undefined {
    if (!known.has(directory)) known.set(directory, readPatterns(join(directory, '.gitignore')))
    return known.get(directory)
  }

  /**
   * Returns whether a path is excluded. A `.gitignore` file nearer to the path takes
   * precedence.
   */
  function isExcluded(names: readonly string[]): boolean {
    for (let depth = names.length - 1; depth >= 0; depth -= 1) {
      const directory = join(root, ...names.slice(0, depth))
      const result = patterns(directory)?.test(names.slice(depth).join(''))
      if (result?.ignored === true || result?.unignored === true) return result.ignored
    }
    return false
  }

  return {
    /** @param path relative to the folder, with forward slashes; a folder ends in a slash */
    test(path: string): boolean {
      const names = [...parents.map((name) => `${name}/`), ...path.split(/(?<=\/)/)]
      // In an ignored folder, git does not include any file again.
      return names.some((_name, index) => isExcluded(names.slice(0, index + 1)))
    },
    /** Reads the `.gitignore` files again, because one of them changed. */
    refresh: () => known.clear(),
  }
}

function findRepository(folder: string): string {
  for (let directory = resolve(folder); ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) return directory
    if (directory === dirname(directory)) return resolve(folder)
  }
}

function readPatterns(file: string): Ignore | undefined {
  try {
    return ignore(OPTIONS).add(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
