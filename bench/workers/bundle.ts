import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** A Worker as it would be uploaded, and the sizes of its modules. */
export interface Bundle {
  readonly code: string
  readonly gzippedBytes: number
  /** The modules with their minified bytes, the largest first. */
  readonly modules: readonly (readonly [path: string, bytes: number])[]
}

const ROOT = new URL('../../', import.meta.url)
const PARTS: Readonly<Record<string, string>> = {
  sidecard: 'src/index.ts',
  'sidecard/actions': 'src/actions/index.ts',
  'sidecard/cache': 'src/cache/index.ts',
  'sidecard/client': 'src/client/index.ts',
  'sidecard/schema': 'src/contract/index.ts',
}

/**
 * Bundles a Worker as `wrangler deploy --minify` does, without `keep_names`.
 *
 * @param entry a path from the root of the repository
 */
export async function bundleWorker(entry: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [new URL(entry, ROOT).pathname],
    absWorkingDir: ROOT.pathname,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
    plugins: [
      {
        name: 'sidecard',
        setup(bundling) {
          bundling.onResolve({ filter: /^sidecard(?:\/|$)/ }, ({ path }) => ({
            path: new URL(PARTS[path] ?? 'src/missing.ts', ROOT).pathname,
          }))
        },
      },
    ],
  })
  const [output] = outputFiles
  const [{ inputs }] = Object.values(metafile.outputs) as [(typeof metafile.outputs)[string]]
  return {
    code: output?.text ?? '',
    gzippedBytes: gzipSync(output?.contents ?? new Uint8Array()).length,
    modules: Object.entries(inputs)
      .map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const)
      .toSorted(([, a], [, b]) => b - a),
  }
}
