import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

test('the client is under 10 KiB minified and gzipped, without zod', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../../src/runtime/client/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    write: false,
    metafile: true,
  })
  const [output] = outputFiles
  expect(gzipSync(output?.contents ?? '').length).toBeLessThan(10 * 1024)
  expect(Object.keys(metafile.inputs).filter((file) => file.includes('node_modules'))).toEqual([])
})
