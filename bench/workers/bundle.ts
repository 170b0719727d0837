import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { bundlePackage } from '../../scripts/bundle-package.ts'
import { ENTRIES } from '../../scripts/package-entries.ts'

/** A Worker as it would be uploaded, and the sizes of its modules. */
export interface Bundle {
  readonly code: string
  readonly gzippedBytes: number
  /** The modules with their minified bytes, the largest first. */
  readonly modules: readonly (readonly [path: string, bytes: number])[]
}

const ROOT = new URL('../../', import.meta.url)

/** The package as users install it: its modules are bundled, which decides what a Worker can leave out. */
const PACKAGE = new URL('.scratch/worker-package/', ROOT)
const MODULES = new Map(ENTRIES.map(([name, , out]) => [name, `${out}.js`]))
let packaged: Promise<void> | undefined

async function packageOnce(): Promise<void> {
  packaged ??= rm(PACKAGE, { recursive: true, force: true }).then(() =>
    bundlePackage(PACKAGE.pathname),
  )
  await packaged
}

/**
 * Bundles a Worker as `wrangler deploy --minify` does, without `keep_names`.
 *
 * @param entry a path from the root of the repository
 */
export async function bundleWorker(entry: string): Promise<Bundle> {
  await packageOnce()
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
            path: new URL(MODULES.get(path) ?? 'missing.js', PACKAGE).pathname,
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

/** Returns the code of all modules of the package. */
export async function readPackage(): Promise<string> {
  await packageOnce()
  const files = await readdir(PACKAGE, { recursive: true, withFileTypes: true })
  const modules = files.filter((file) => file.isFile())
  const texts = modules.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}
