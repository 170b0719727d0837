import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * Loads a framework that Sidecard is compared with and does not depend on.
 * `npm run bench` installs it here, in its own package.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- their types are not installed with the kit
export async function loadLibrary(name: 'express' | 'fastify'): Promise<any> {
  const { resolve } = createRequire(import.meta.url)
  return import(pathToFileURL(resolve(name)).href)
}
