import { readFileSync } from 'node:fs'

/**
 * The folder of the package: the nearest one above this module with the package's
 * own `package.json`. The package is bundled into chunks, so no module knows its
 * own place, and no other module may use `import.meta.url`.
 */
export const PACKAGE_FOLDER = findFolder(new URL('.', import.meta.url))

const { version, site } = readManifest(PACKAGE_FOLDER) ?? {}

/** The version of the package. */
export const VERSION = version ?? ''

/** The URL of the documentation site, if it has one. */
export const SITE_URL = site

/** Returns the URL of a file of the package, such as `schema/1.0.0.json`. */
export function packageFile(path: string): URL {
  return new URL(path, PACKAGE_FOLDER)
}

function findFolder(start: URL): URL {
  for (let folder = start; ; folder = new URL('..', folder)) {
    if (readManifest(folder) !== undefined) return folder
    if (folder.pathname === '/') throw new Error('The package.json of sidecard is missing.')
  }
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly site?: string
}

function readManifest(folder: URL): Manifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as Manifest
    return manifest.name === 'sidecard' ? manifest : undefined
  } catch {
    return undefined
  }
}
