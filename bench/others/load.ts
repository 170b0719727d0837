import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * Loads what Sidecard is measured against and does not depend on. `npm run bench`
 * installs it here, in a package of its own.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- their types are not installed with the kit
export async function loadOther(name: 'express' | 'fastify' | 'valibot'): Promise<any> {
  const { resolve } = createRequire(import.meta.url)
  return import(pathToFileURL(resolve(name)).href)
}
