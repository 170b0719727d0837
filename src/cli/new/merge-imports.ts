import { posix } from 'node:path'

/** A path into another folder of this repository, in quotes. */
const ELSEWHERE =
  /'(?:\.\.\/)+(?:templates\/|recipes\/)?[\w-]+\/((?:src|test|dev|migrations)\/[\w/.-]*|sidecard\.json)'/g

/**
 * In this repository, a file of a template or a recipe names a file of another
 * folder by its path there. In a project, all of them are in one folder.
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
