import { posix } from 'node:path'

/** Matches a quoted path into another folder of this repository. */
const ELSEWHERE =
  /'(?:\.\.\/)+(?:templates\/|recipes\/)?(?:[\w-]+\/)?((?:src|test|dev|migrations)\/[\w/.-]*|sidecard\.json)'/g

/**
 * Rewrites imports of a template or recipe. In this repository, they refer to
 * files in other folders. In a project, all files are in one folder.
 *
 * @param path the path of the file in the project
 */
export function mergeImports(text: string, path: string): string {
  return text.replaceAll(ELSEWHERE, (_match, target: string) => {
    const merged = posix.relative(posix.dirname(path), target)
    const end = target.endsWith('/') ? '/' : ''
    return `'${merged.startsWith('.') ? merged : `./${merged}`}${end}'`
  })
}
