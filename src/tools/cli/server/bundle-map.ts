import { readdirSync, readFileSync, statSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { basename, join, resolve } from 'node:path'

const MAX_MAP_BYTES = 32 * 1_048_576

/** Matches the source maps of bundles, such as `dev-1/index.js.map`. */
const MAP = /^dev-[^\\/]+[\\/][^\\/]+\.js\.map$/

/** Creates a map from locations in the bundles of `wrangler dev` to the source files. */
export function createBundleMap(folder: string) {
  const parent = join(folder, '.wrangler', 'tmp')
  const maps = new Map<string, { path: string; mtimeMs: number; map: SourceMap }>()

  function read(path: string): void {
    const { mtimeMs, size } = statSync(path)
    const bundle = basename(path, '.map')
    if (size > MAX_MAP_BYTES || (maps.get(bundle)?.mtimeMs ?? 0) >= mtimeMs) return
    const map = new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
    maps.set(bundle, { path, mtimeMs, map })
  }

  return {
    /** Reads the newest source maps. Wrangler deletes them when it exits. */
    refresh(): void {
      try {
        const files = readdirSync(parent, { recursive: true, encoding: 'utf8' })
        for (const file of files.filter((each) => MAP.test(each))) read(join(parent, file))
      } catch {
        // There is no bundle yet, or wrangler is writing it.
      }
    },
    /** Replaces locations in the output, such as `index.js:5:21`. */
    toSource: (output: string) =>
      output.replaceAll(/(?<=[\s(])([\w.-]+\.js):(\d+):(\d+)/g, (place, bundle, line, column) => {
        const { path = '', map } = maps.get(bundle) ?? {}
        const entry = map?.findEntry(Number(line) - 1, Number(column) - 1)
        if (entry === undefined || !('originalSource' in entry)) return place
        const { originalSource, originalLine, originalColumn } = entry
        const source = resolve(path, '..', originalSource)
        return `${source}:${originalLine + 1}:${originalColumn + 1}`
      }),
  }
}
