import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Returns the packages in the bundle of an entry point. */
async function listPackages(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    logLevel: 'silent',
  })
  const names = Object.keys(metafile.inputs).map((path) => /node_modules\/([^/]+)/.exec(path)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))]
}

test('validating a payload needs no package, so a Worker contains no zod', async () => {
  expect(await listPackages('src/runtime/contract/validate.ts')).toEqual([])
  expect(await listPackages('src/runtime/builders/index.ts')).toEqual([])
  expect(await listPackages('src/index.ts')).not.toContain('zod')
  expect(await listPackages('src/runtime/contract/index.ts')).toContain('zod')
})
