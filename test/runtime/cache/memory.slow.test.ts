import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { section, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { createTestApp } from '../../helpers/app.ts'
import { createCache, fetchContent, uniqueName } from '../../helpers/cache.ts'

const MEGABYTE = 1_048_576

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

async function heapUsed(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed
}

test('3,000 requests with 20 KB URLs do not grow the heap', async () => {
  const store = memoryStore({ maxEntries: 100 })
  const cache = sectionCache({ name: uniqueName(), store, ttlSeconds: 60 })
  const app = createTestApp({
    fetchData: ({ params }) => {
      const load = async () => {
        if (params.account_id?.endsWith('7') === true) throw new Error(`down ${params.account_id}`)
        return text({ label: 'Account', value: params.account_id ?? '' })
      }
      return [section('Account', load, { cache, key: [params.account_id] })]
    },
  })
  const env = {}
  const ask = async (index: number) => {
    const own = `own=${index}${'x'.repeat(10_000)}&requester_email=${'y'.repeat(10_000)}`
    const path = `/?request_type=fetch_data&organization_id=o&account_id=${index}&${own}`
    await (await app.request(path, {}, env)).text()
  }
  for (let index = 0; index < 500; index += 1) await ask(index)
  const before = await heapUsed()
  for (let index = 500; index < 3_500; index += 1) await ask(index)
  expect((await heapUsed()) - before).toBeLessThan(3 * MEGABYTE)
}, 60_000)

test.each<[string, (index: number) => string]>([
  ['slices of larger strings', (index) => `${index}${'x'.repeat(100_000)}`.slice(0, 10_000)],
  [
    'joined of many small strings',
    (index) => {
      let content = String(index)
      while (content.length < 10_000) content += String.fromCharCode(97 + (content.length % 26))
      return content
    },
  ],
])('memoryStore enforces its maximum size for %s', async (_, createText) => {
  const store = memoryStore({ maxBytes: 2 * MEGABYTE })
  const before = await heapUsed()
  for (let index = 0; index < 300; index += 1) store.set(String(index), createText(index), 60)
  expect((await heapUsed()) - before).toBeLessThan(2.2 * MEGABYTE)
  expect(store.get('299')).toBe(createText(299))
})

test('unused environments are removed from memory', async () => {
  const cache = createCache({ store: () => memoryStore(), ttlSeconds: 60 })
  const ask = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const env = { NAME: 'x'.repeat(10), bytes: Array(1_000).fill(index) }
      await fetchContent(cache, { env, load: async () => JSON.stringify('x'.repeat(10_000)) })
    }
  }
  await ask(100)
  const before = await heapUsed()
  await ask(500)
  expect((await heapUsed()) - before).toBeLessThan(MEGABYTE)
})
