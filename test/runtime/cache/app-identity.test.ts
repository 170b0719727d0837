import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { section, text } from 'sidecard'
import { memoryStore, payloadCache, sectionCache } from 'sidecard/cache'
import type { FetchDataParams } from '../../../src/runtime/contract/parameters.ts'
import { createTestApp, FETCH_DATA, readPayload } from '../../helpers/app.ts'
import { createGate, createMapStore, uniqueName } from '../../helpers/cache.ts'
import { eventually } from '../../helpers/eventually.ts'

test.each([
  ['custom key', ({ params }: { params: FetchDataParams }) => [params.account_id]],
  ['default key', undefined],
])(
  'apps of different names with one URL, as behind app.mount(), share nothing: %s',
  async (_, key) => {
    const store = memoryStore()
    const sections = sectionCache({ name: uniqueName(), store, ttlSeconds: 60 })
    const gate = createGate()
    const urls = new Set<string>()
    const create = (title: string) =>
      createTestApp({
        header: { title },
        cache: payloadCache({ store, ttlSeconds: 60, ...(key && { key }) }),
        async fetchData({ c, params }) {
          urls.add(c.req.url)
          await gate.opened
          const load = async () => (await gate.opened, text({ label: 'Section', value: title }))
          const cached = { cache: sections, key: [params.account_id] }
          return [text({ label: 'App', value: title }), section('Content', load, cached)]
        },
      })
    const [billing, errors] = [create('Billing'), create('Errors')]
    const server = new Hono().mount('/a', billing.fetch).mount('/b', errors.fetch)
    const ask = async (path: string) => {
      const response = await server.request(`${path}${FETCH_DATA.slice(1)}`)
      const { components } = await readPayload(response)
      const shown = [components[0].value, components[1].components[0].value]
      return `${response.headers.get('x-sidecard-cache')} ${shown.join(' ')}`
    }
    const pending = ['/a', '/b', '/a', '/b'].map(ask)
    await eventually(() => expect(urls.size).toBe(1))
    gate.open()
    expect(await Promise.all(pending)).toEqual([
      'miss Billing Billing',
      'miss Errors Errors',
      'miss Billing Billing',
      'miss Errors Errors',
    ])
    expect([await ask('/a'), await ask('/b')]).toEqual(['hit Billing Billing', 'hit Errors Errors'])
  },
)

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
  const app = createTestApp({ cache: payloadCache({ store: memoryStore(), ttlSeconds: 60 }) })
  const ask = async (query: string) => {
    const [path, own] = FETCH_DATA.split('?')
    const { headers } = await app.request(`${path}?${query}&${own}`)
    return headers.get('x-sidecard-cache')
  }
  expect([await ask(one), await ask(other)]).toEqual(['miss', status])
})

test('the order of all parameters does not matter', async () => {
  const app = createTestApp({ cache: payloadCache({ store: memoryStore(), ttlSeconds: 60 }) })
  const parameters = `${FETCH_DATA.slice(2)}&b=2&a=1`.split('&')
  await app.request(`/?${parameters.join('&')}`)
  const { headers } = await app.request(`/?${parameters.toReversed().join('&')}`)
  expect(headers.get('x-sidecard-cache')).toBe('hit')
})
