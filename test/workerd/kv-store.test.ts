import { expect, test } from 'vitest'
import { type KvNamespace, kvStore, sectionCache } from 'sidecard/cache'
import {
  createCache,
  createNumberedSource,
  fetchContent,
  fetchSection,
  uniqueName,
} from '../helpers/cache.ts'

const MODULE: string = 'cloudflare:workers'
// The module has the types of Workers, which would replace those of the DOM in all other tests.
const { env } = (await import(MODULE)) as {
  env: { readonly PAYLOADS: KvNamespace & KvAdministration }
}
const { PAYLOADS } = env

interface KvAdministration {
  list(): Promise<{ keys: { name: string; expiration?: number }[] }>
  put(key: string, value: string): Promise<void>
}

test('a real KV keeps content for at least 60 seconds', async () => {
  const cache = createCache({
    store: (bindings: { PAYLOADS: KvNamespace }) => kvStore(bindings.PAYLOADS),
    ttlSeconds: 5,
  })
  const source = createNumberedSource()
  const request = { ...source, env, ids: { account_id: '長'.repeat(400) } }
  const others = new Set((await PAYLOADS.list()).keys.map(({ name }) => name))
  const { text, scope } = await fetchContent(cache, request)
  await scope.finish()
  expect([text, scope.warnings]).toEqual(['miss {"n":1}', []])
  expect((await fetchContent(cache, request)).text).toBe('hit {"n":1}')
  const keys = (await PAYLOADS.list()).keys.filter(({ name }) => !others.has(name))
  expect(keys).toHaveLength(1)
  expect(keys[0]?.name).toMatch(/^sidecard:[0-9a-f]{64}$/)
  const secondsLeft = (keys[0]?.expiration ?? 0) - Date.now() / 1_000
  expect(secondsLeft).toBeGreaterThan(50)
  expect(secondsLeft).toBeLessThan(70)

  await PAYLOADS.put(keys[0]!.name, '{"version":"1.0.0"}')
  const poisoned = await fetchContent(cache, request)
  expect(poisoned.text).toBe('miss {"n":2}')
  expect(poisoned.scope.warnings).toMatchObject([{ problem: 'invalid_entry' }])
  await poisoned.scope.finish()
})

test('a real KV keeps the content of sections', async () => {
  const cache = sectionCache({ name: uniqueName(), store: kvStore(PAYLOADS), ttlSeconds: 60 })
  const { scope } = await fetchSection(cache, { load: async () => '[1]' })
  await scope.finish()
  expect(scope.warnings).toEqual([])
  expect((await fetchSection(cache, { load: async () => '[2]' })).text).toBe('hit [1]')
})

test('the cache is bypassed if the binding is missing, with one warning', async () => {
  const cache = createCache({
    store: (bindings: { MISSING: KvNamespace }) => kvStore(bindings.MISSING),
    ttlSeconds: 60,
  })
  const { text, scope } = await fetchContent(cache, { ...createNumberedSource(), env })
  expect(text).toBe('miss {"n":1}')
  expect(scope.warnings).toMatchObject([
    { problem: 'cache_unusable', error: { message: expect.stringContaining('KV namespace') } },
  ])
})
