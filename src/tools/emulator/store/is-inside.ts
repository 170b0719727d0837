import { isAbsolute, relative, sep } from 'node:path'

/** Returns whether a path is below a directory. Links are not followed. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
