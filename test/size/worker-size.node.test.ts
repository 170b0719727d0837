import { expect, test } from 'vitest'
import { bundleWorker } from '../../bench/workers/bundle.ts'

/** What docs/performance.md promises; Hono is in it. */
const MAX_WORKER_BYTES = 18_000

test('a Worker with the framework is small', async () => {
  const { gzippedBytes, modules } = await bundleWorker('bench/workers/sidecard.ts')
  // Shown when it fails: what weighs most.
  const heaviest = modules.slice(0, 8).map(([path, bytes]) => `${bytes} ${path}`)
  expect({ fits: gzippedBytes <= MAX_WORKER_BYTES, gzippedBytes, heaviest }).toMatchObject({
    fits: true,
  })
})

test('a Worker that caches nothing does not carry the cache, nor zod in any case', async () => {
  const { modules } = await bundleWorker('bench/workers/sidecard.ts')
  expect(modules.map(([path]) => path).filter((path) => /\/cache\/|\/zod\//.test(path))).toEqual([])
})
