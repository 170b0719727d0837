import { posix } from 'node:path'

/**
 * In this repository, a file of a template or a recipe imports a file of another
 * folder by its path there. In a project, all of them are in one folder.
 *
 * @param path the path of the importing file in the project
 */
export function mergeImports(text: string, path: string): string {
  const elsewhere = /'(?:\.\.\/)+(?:templates\/|recipes\/)?[\w-]+\/((?:src|test)\/[\w/-]+\.ts)'/g
  return text.replaceAll(elsewhere, (_match, target: string) => {
    const merged = posix.relative(posix.dirname(path), target)
    return `'${merged.startsWith('.') ? merged : `./${merged}`}'`
  })
}
