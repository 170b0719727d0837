import { expect, test } from 'vitest'
import { memoryStore } from 'sidecard/cache'
import { createCache, createNumberedSource, fetchContent } from '../../helpers/cache.ts'

test('long queries, and those with empty pairs, are distinguished to their last character', async () => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 60 })
  const { load } = createNumberedSource()
  const ask = async (query: string) =>
    (await fetchContent(cache, { url: `https://app.example/?${query}`, load })).text
  const many = Array.from({ length: 2_000 }, (_, index) => `p${index}=1`).join('&')
  const queries = [
    'a=1',
    'a=2',
    `${'&'.repeat(200)}a=1`,
    `${'&'.repeat(200)}a=2`,
    `a=${'x'.repeat(2_000)}1`,
    `a=${'x'.repeat(2_000)}2`,
    `${many}&a=1`,
    `${many}&a=2`,
    'codes=1',
    'xcode=1',
    'a=1&b=2',
    'a=1b=2',
    '',
  ]
  for (const [index, query] of queries.entries()) {
    expect(await ask(query)).toBe(`miss {"n":${index + 1}}`)
  }
  for (const [index, query] of queries.entries()) {
    const contract = 'request_type=fetch_data&code=&code&issue_id=a=b'
    expect(await ask(`${contract}&${query}`)).toBe(`hit {"n":${index + 1}}`)
    expect(await ask(`${query}&${contract}#code=1`)).toBe(`hit {"n":${index + 1}}`)
  }
})

test('up to 100 parameters of the URL are sorted by name', async () => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 60 })
  const { load } = createNumberedSource()
  const ask = async (pairs: readonly string[]) => {
    const url = `https://app.example/?request_type=fetch_data&${pairs.join('&')}`
    return (await fetchContent(cache, { url, load })).text.split(' ')[0]
  }
  const create = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`)
  for (const pairs of [['ab', 'ac'], ['b=1', 'a=2', 'b=3'], create(100)]) {
    expect(await ask(pairs)).toBe('miss')
    expect(await ask([pairs.at(1)!, pairs[0]!, ...pairs.slice(2)])).toBe('hit')
  }
  expect(await ask(create(101))).toBe('miss')
  expect(await ask(create(101).toReversed())).toBe('miss')
  // The order of equal names can matter to the app.
  expect([await ask(['a=1', 'a=2']), await ask(['a=2', 'a=1'])]).toEqual(['miss', 'miss'])
})
