import { readdirSync, readFileSync, statSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join, resolve } from 'node:path'

/** Maps locations in the bundle of a Worker to the source files. */
export interface BundleMap {
  /** Reads the newest source map. Wrangler deletes it when it exits. */
  refresh(): void
  /** Replaces the locations in an output, such as `index.js:5:21`. */
  toSource(output: string): string
}

const MAX_MAP_BYTES = 32 * 1_048_576

/** Creates a map of the bundles that `wrangler dev` writes into a folder. */
export function createBundleMap(folder: string): BundleMap {
  const parent = join(folder, '.wrangler', 'tmp')
  const maps = new Map<string, { path: string; mtimeMs: number; map: SourceMap }>()

  function read(bundle: string, name: string): void {
    const path = join(parent, bundle, name)
    const { mtimeMs, size } = statSync(path)
    const key = name.replace(/\.map$/, '')
    if (size > MAX_MAP_BYTES || (maps.get(key)?.mtimeMs ?? 0) >= mtimeMs) return
    const map = new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
    maps.set(key, { path, mtimeMs, map })
  }

  return {
    refresh() {
      try {
        for (const bundle of readdirSync(parent)) {
          if (!bundle.startsWith('dev-')) continue
          for (const name of readdirSync(join(parent, bundle))) {
            if (name.endsWith('.js.map')) read(bundle, name)
          }
        }
      } catch {
        // There is no bundle, or wrangler is writing it.
      }
    },
    toSource: (output) =>
      output.replaceAll(
        /(?<=[\s(])([\w.-]+\.js):(\d+):(\d+)/g,
        (place, name: string, line: string, column: string) => {
          const known = maps.get(name)
          const entry = known?.map.findEntry(Number(line) - 1, Number(column) - 1)
          if (known === undefined || entry === undefined || !('originalSource' in entry)) {
            return place
          }
          const source = resolve(known.path, '..', entry.originalSource)
          return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
        },
      ),
  }
}
