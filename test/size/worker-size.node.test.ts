import { expect, test } from 'vitest'
import { bundleWorker } from '../../bench/workers/bundle.ts'

/** The limit of docs/performance.md, including Hono. */
const MAX_WORKER_BYTES = 25_000

test('a Worker with the framework is small', async () => {
  const { gzippedBytes, modules } = await bundleWorker('bench/workers/sidecard.ts')
  // The largest modules, for the message of a failure.
  const heaviest = modules.slice(0, 8).map(([path, bytes]) => `${bytes} ${path}`)
  expect({ fits: gzippedBytes <= MAX_WORKER_BYTES, gzippedBytes, heaviest }).toMatchObject({
    fits: true,
  })
})

test('a Worker without a cache contains neither the cache nor zod', async () => {
  const { modules } = await bundleWorker('bench/workers/sidecard.ts')
  expect(modules.map(([path]) => path).filter((path) => /\/cache\/|\/zod\//.test(path))).toEqual([])
})

test('a Worker contains none of the parts that it does not import', async () => {
  const { modules } = await bundleWorker('bench/workers/sidecard.ts')
  const optional =
    /\/(?:identify|email-domain|public-email-domains|fields|money|calendar-date|status|audit|server-timing|health-check|settle-section|child-limits)[\w-]*\.ts$/
  const carried = modules.filter(([path, bytes]) => bytes > 0 && optional.test(`/${path}`))
  expect(carried).toEqual([])
})
