import { expect, test } from 'vitest'
import { bundleWorker, readPackage } from '../../bench/workers/bundle.ts'

/** The limit of docs/performance.md, including Hono. */
const MAX_WORKER_BYTES = 26_000

test('a Worker with the framework is small', async () => {
  const { gzippedBytes, modules } = await bundleWorker('bench/workers/sidecard.ts')
  // The largest modules, for the message of a failure.
  const heaviest = modules.slice(0, 8).map(([path, bytes]) => `${bytes} ${path}`)
  expect({ fits: gzippedBytes <= MAX_WORKER_BYTES, gzippedBytes, heaviest }).toMatchObject({
    fits: true,
  })
})

/** The limit of a new project: 40 KiB, the unit that wrangler prints. */
const MAX_TEMPLATE_BYTES = 40_960

// The entry of the data source d1 is the same, with a smaller module of customers.
test.each(['templates/workers/src/index.ts', 'templates/sample-workers/src/index.ts'])(
  'the Worker of a new project is small: %s',
  async (entry) => {
    const { gzippedBytes, modules } = await bundleWorker(entry)
    const heaviest = modules.slice(0, 8).map(([path, bytes]) => `${bytes} ${path}`)
    const fits = gzippedBytes <= MAX_TEMPLATE_BYTES
    expect({ fits, gzippedBytes, heaviest }).toMatchObject({ fits: true })
  },
)

/** A text of each part that an app imports by name. */
const OPTIONAL_PARTS = [
  ['cache', 'storeTimeoutMs'],
  ['identify', 'gmail.com'],
  ['fields', 'has no own fields: getters'],
  ['audit', 'a function that writes the record'],
  ['serverTiming', 'server-timing'],
  ['healthCheck', 'sidecard health check'],
  ['section', 'an array of the values that load uses'],
  ['section conditions', 'You asked for '],
  ['messages/de', 'Kunde nicht gefunden'],
] as const

test.each(OPTIONAL_PARTS)(
  'a Worker that does not import %s does not contain it',
  async (_, text) => {
    const { code } = await bundleWorker('bench/workers/sidecard.ts')
    expect(code).not.toContain(text)
    // The text identifies the part only as long as the package has it.
    expect(await readPackage()).toContain(text)
  },
)

test('a Worker contains no zod', async () => {
  const { modules } = await bundleWorker('bench/workers/sidecard.ts')
  expect(modules.filter(([path, bytes]) => bytes > 0 && path.includes('/zod/'))).toEqual([])
})

test('only an app with openIdConnect() contains its library, which is loaded with the first sign-in', async () => {
  const { code } = await bundleWorker('test/fixtures/actions-worker.ts')
  expect(code).not.toContain('code_challenge')
  const all = await readPackage()
  expect(all.match(/from "oauth4webapi"/g)).toHaveLength(1)
  expect(all).toMatch(/await import\("[^"]*\/open-id-provider-\w+\.js"\)/)
  expect(all).not.toMatch(/from "[^"]*\/open-id-provider-/)
})
