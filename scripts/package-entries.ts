import manifest from '../package.json' with { type: 'json' }

/** The entries of the package that are code: their source files, and their files in `dist` without an extension. */
export const ENTRIES: ReadonlyArray<readonly [entry: string, file: string, out: string]> =
  Object.entries(manifest.exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const out = target.default.slice('./dist/'.length, -'.js'.length)
    return [[`sidecard${path.slice(1)}`, `src/${sourceOf(out)}.ts`, out] as const]
  })

function sourceOf(out: string): string {
  if (out === 'index') return out
  return /^(?:check|emulator|service)\//.test(out) ? `tools/${out}` : `runtime/${out}`
}
