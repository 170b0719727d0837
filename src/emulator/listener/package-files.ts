import { readFileSync } from 'node:fs'

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
