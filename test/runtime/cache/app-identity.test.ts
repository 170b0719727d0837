import { expect, test } from 'vitest'
import { section, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { createTestApp, FETCH_DATA, readPayload } from '../../helpers/app.ts'
import { createMapStore, uniqueName } from '../../helpers/cache.ts'

test('sections of apps of different names with one URL share nothing', async () => {
  const cache = sectionCache({ name: uniqueName(), store: createMapStore(), ttlSeconds: 60 })
  const create = (name: string) =>
    createTestApp({
      name,
      fetchData: () => [
        section('Content', () => text({ label: 'Of', value: name }), { cache, key: ['a'] }),
      ],
    })
  const apps = [create('billing'), create('errors')]
  for (const _round of ['miss', 'hit']) {
    for (const [index, app] of apps.entries()) {
      const { components } = await readPayload(await app.request(FETCH_DATA))
      expect(components[0].components[0].value).toBe(['billing', 'errors'][index])
    }
  }
})

/** Creates an app with a cached section. Returns a function that returns whether a query is a hit. */
function createAsk() {
  const cache = sectionCache({ name: uniqueName(), store: memoryStore(), ttlSeconds: 60 })
  let loads = 0
  const load = () => text({ label: 'Load', value: String((loads += 1)) })
  const app = createTestApp({
    fetchData: () => [section('Content', load, { cache, key: ['a'] })],
  })
  return async (query: string) => {
    const before = loads
    await app.request(`/?${query}`)
    return loads === before ? 'hit' : 'miss'
  }
}

test.each<[string, string, string, 'hit' | 'miss']>([
  ['in another order', 'a=1&b=2', 'b=2&a=1', 'hit'],
  ['between those of the contract', 'a=1&b=2', 'b=2&code=x&a=1', 'hit'],
  ['with another value', 'a=1', 'a=2', 'miss'],
  ['twice, in another order', 'a=1&a=2', 'a=2&a=1', 'miss'],
  ['of which one is encoded, in another order', 'a=1&%61=2', '%61=2&a=1', 'miss'],
  ['with a plus sign, in another order', 'a+b=1&a%20b=2', 'a%20b=2&a+b=1', 'miss'],
  ['with an encoded separator', 'a=1%26b=2', 'a=1&b=2', 'miss'],
  ['that are missing', 'a=1', '', 'miss'],
  ['that are empty', 'a=1', 'a=1&&', 'hit'],
  ['without a value', 'a', 'a=', 'miss'],
  ['that are a prefix of those of the contract', 'issue=1', 'issue=2', 'miss'],
  ['that are spelled differently than those of the contract', 'Issue_id=1', 'Issue_id=2', 'miss'],
  [
    'in a long list with other values at the end',
    `${'a=1&'.repeat(4_000)}b=1`,
    `${'a=1&'.repeat(4_000)}b=2`,
    'miss',
  ],
  ['in a long list', 'b=1&a=1&'.repeat(2_000), 'b=1&a=1&'.repeat(2_000), 'hit'],
])('own parameters %s: %.20s and %.20s are a %4$s', async (_, one, other, status) => {
  const ask = createAsk()
  const own = FETCH_DATA.slice(2)
  expect([await ask(`${one}&${own}`), await ask(`${other}&${own}`)]).toEqual(['miss', status])
})
