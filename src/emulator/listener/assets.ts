import { readFile } from 'node:fs/promises'
import { SidecardError } from '../../internal/errors.ts'

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  svg: 'image/svg+xml',
}

/** The folder is in `dist/` even if this file runs from source. */
const FOLDER = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/workspace/', import.meta.url)
  : new URL('../../workspace/', import.meta.url)

/**
 * Reads a file of the built workspace. Returns `undefined` for an unknown name.
 *
 * @throws {SidecardError} `workspace_not_built`
 */
export async function readAsset(name: string) {
  const extension = /^[\w-]+\.(css|html|js|svg)$/.exec(name)?.[1]
  const type = TYPES[extension ?? '']
  if (type === undefined) return undefined
  try {
    return { body: await readFile(new URL(name, FOLDER), 'utf8'), type }
  } catch (error) {
    if (name !== 'index.html') return undefined
    throw new SidecardError(
      'workspace_not_built',
      'The workspace is not built. Run npm run build in the Sidecard repository.',
      { cause: error },
    )
  }
}
