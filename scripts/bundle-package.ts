import { build, type Plugin } from 'esbuild'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from './package-entries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Bundles the modules of each entry, because the module loader is half of the time that an
 * app needs to start. Entries share chunks, so that `instanceof` works across them. The
 * chunks are not minified and name the source of each module, so that a stack leads to
 * readable code without source maps, which would make the package half as large again.
 */
export async function bundlePackage(outdir: string): Promise<void> {
  const shared = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22.13',
    charset: 'utf8',
    logLevel: 'warning',
    write: false,
  } as const
  const modules = await build({
    ...shared,
    entryPoints: [
      ...ENTRIES.map(([, file, out]) => ({ in: file, out })),
      { in: 'src/tools/cli/process.ts', out: 'cli/process' },
    ],
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  })
  // It must run on old Node versions, so it may load nothing but itself.
  const bin = await build({
    ...shared,
    entryPoints: [{ in: 'src/tools/cli/bin.ts', out: 'cli/bin' }],
    plugins: [leaveProcess],
  })
  for (const { path, text } of [...modules.outputFiles, ...bin.outputFiles]) {
    await mkdir(dirname(path), { recursive: true })
    // No module has side effects, and users' bundlers warn of an import without names.
    await writeFile(path, text.replace(/^import "\.[^"]*";\n/gm, ''))
  }
}

const leaveProcess: Plugin = {
  name: 'leave-process',
  setup(bundling) {
    bundling.onResolve({ filter: /^\.\/process\.ts$/ }, () => ({
      path: './process.js',
      external: true,
    }))
  },
}
