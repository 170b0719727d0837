import { readFileSync } from 'node:fs'

/**
 * The folder of the package: the nearest one above this module with the package's own
 * `package.json`. The code of the package is bundled into chunks, so no module knows
 * where it will be, and no other module may use `import.meta.url`.
 */
export const PACKAGE_FOLDER = findFolder(new URL('.', import.meta.url))

/** The version of the package. */
export const VERSION = readVersion(PACKAGE_FOLDER) ?? ''

/** Returns the URL of a file of the package, such as `schema/1.0.0.json`. */
export function packageFile(path: string): URL {
  return new URL(path, PACKAGE_FOLDER)
}

function findFolder(start: URL): URL {
  for (let folder = start; ; folder = new URL('..', folder)) {
    if (readVersion(folder) !== undefined) return folder
    if (folder.pathname === '/') throw new Error('The package.json of sidecard is missing.')
  }
}

function readVersion(folder: URL): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
      readonly name?: string
      readonly version?: string
    }
    return manifest.name === 'sidecard' ? manifest.version : undefined
  } catch {
    return undefined
  }
}
