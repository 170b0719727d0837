import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { packageFile } from '../store/package-folder.ts'

/** Reads the OpenAPI document of the API, which `npm run generate` writes. */
export function readOpenApiDocument(): object {
  return JSON.parse(readFileSync(packageFile('schema/openapi.json'), 'utf8')) as object
}

/**
 * Reads a file of the built workspace. Returns `undefined` for an unknown name.
 *
 * @throws {SidecardError} `workspace_not_built`
 */
export async function readAsset(name: string) {
  if (!/^[\w-]+\.(?:css|html|js|svg)$/.test(name)) return undefined
  try {
    return await readFile(packageFile(`dist/workspace/${name}`), 'utf8')
  } catch (error) {
    if (name !== 'index.html') return undefined
    const message = 'The workspace is not built. Run npm run build in the Sidecard repository.'
    throw new SidecardError('workspace_not_built', message, { cause: error })
  }
}
