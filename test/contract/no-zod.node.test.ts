import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** The packages that end up in a bundle of an entry point. */
async function packagesIn(entry: string): Promise<string[]> {
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

test('checking a payload needs no package, and so no zod in a Worker', async () => {
  expect(await packagesIn('src/contract/validate.ts')).toEqual([])
  expect(await packagesIn('src/builders/index.ts')).toEqual([])
  expect(await packagesIn('src/index.ts')).not.toContain('zod')
  expect(await packagesIn('src/contract/index.ts')).toContain('zod')
})
