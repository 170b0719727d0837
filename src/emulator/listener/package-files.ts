import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { SidecardError } from '../../internal/errors.ts'

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'))
}

/** The version of the package. */
export const VERSION = (readJson('package.json') as { readonly version: string }).version

/** Reads the OpenAPI document of the API, which `npm run generate` writes. */
export function readOpenApiDocument(): object {
  return readJson('schema/openapi.json') as object
}

/** Reads the style sheet of the documentation of the API. */
export function readDocsStyle(): string {
  return readFileSync(new URL('../api/api-docs.css', import.meta.url), 'utf8')
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
  if (!/^[\w-]+\.(?:css|html|js|svg)$/.test(name)) return undefined
  try {
    return await readFile(new URL(name, FOLDER), 'utf8')
  } catch (error) {
    if (name !== 'index.html') return undefined
    const message = 'The workspace is not built. Run npm run build in the Sidecard repository.'
    throw new SidecardError('workspace_not_built', message, { cause: error })
  }
}
