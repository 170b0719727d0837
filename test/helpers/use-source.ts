/**
 * Preloaded (`node --import`) into a scaffold under test: `sidecard` and its
 * entries resolve to the source of this repository.
 */
import { registerHooks } from 'node:module'
import { ENTRIES } from '../../scripts/package-entries.ts'

const FILES = new Map(ENTRIES.map(([entry, file]) => [entry, file]))

registerHooks({
  resolve(specifier, context, next) {
    const file = FILES.get(specifier)
    if (file === undefined) return next(specifier, context)
    return next(new URL(`../../${file}`, import.meta.url).href, context)
  },
})
