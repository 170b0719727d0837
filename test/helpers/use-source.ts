/**
 * Preloaded (`node --import`) into a scaffold under test: `sidecard` and its
 * entries resolve to the source of this repository.
 */
import { registerHooks } from 'node:module'

const FOLDERS: Readonly<Record<string, string>> = {
  sidecard: '',
  'sidecard/schema': 'contract/',
  'sidecard/testing': 'service/',
}

registerHooks({
  resolve(specifier, context, next) {
    if (!/^sidecard(?:\/\w+)?$/.test(specifier)) return next(specifier, context)
    const folder = FOLDERS[specifier] ?? `${specifier.slice('sidecard/'.length)}/`
    return next(new URL(`../../src/${folder}index.ts`, import.meta.url).href, context)
  },
})
