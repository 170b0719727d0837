import { expect, test } from 'vitest'
import { catchError, page, createScriptedClient } from '../../helpers/scripted-api.ts'

const next = (cursor: unknown) => ({ cursor, has_next_page: true })
const LAST = { cursor: 'end', has_next_page: false }

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test('follows the cursors to the last page, through empty pages', async () => {
  const { client, seen } = createScriptedClient([
    page([1, 2], next('a')),
    page([], next('b c')),
    page([3], LAST),
  ])
  expect(await collect(client.users.list())).toEqual([1, 2, 3])
  expect(seen.map(({ url }) => url.search)).toEqual(['', '?cursor=a', '?cursor=b%20c'])
})

test('sends limit and cursor only if they are set', async () => {
  const { client, seen } = createScriptedClient([page([], next('b')), page([], LAST)])
  await collect(client.users.list({ limit: 5, cursor: 'a' }).pages())
  expect(seen.map(({ url }) => url.search)).toEqual(['?limit=5&cursor=a', '?limit=5&cursor=b'])
})

test('sends no request before it is used, and one if it is awaited twice', async () => {
  const { client, seen } = createScriptedClient([page([1], next('a')), page([2], LAST)])
  const list = client.users.list()
  expect(seen).toHaveLength(0)
  expect((await list).data).toEqual([1])
  expect((await list).data).toEqual([1])
  expect(seen).toHaveLength(1)
  expect(await list.toArray()).toEqual([1, 2])
  expect(seen).toHaveLength(2)
})

test('toArray({ max }) does not request a page that it does not need', async () => {
  const { client, seen } = createScriptedClient([page([1, 2, 3], next('a')), page([4], LAST)])
  expect(await client.users.list().toArray({ max: 2 })).toEqual([1, 2])
  expect(await client.users.list().toArray({ max: 0 })).toEqual([])
  expect(seen).toHaveLength(1)
})

test.each([null, Number.NaN, -1, 1.5, '2', 2 ** 53])(
  'toArray() rejects %j as max and sends nothing',
  async (max) => {
    const { client, seen } = createScriptedClient([page([1, 2, 3])])
    expect(await catchError(client.users.list().toArray({ max: max as any }))).toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('max'),
    })
    expect(seen).toHaveLength(0)
  },
)

test('toArray() returns everything without max, and with Infinity', async () => {
  for (const options of [undefined, {}, { max: Infinity }, { max: 9 }]) {
    const { client } = createScriptedClient([page([1, 2], next('a')), page([3], LAST)])
    // oxlint-disable-next-line no-await-in-loop -- each call is its own case
    expect(await client.users.list().toArray(options)).toEqual([1, 2, 3])
  }
})

test.each([
  ['no pagination', undefined],
  ['null', null],
  ['an empty object', {}],
  ['a next page of null', { has_next_page: null, cursor: 'x' }],
  ['no next page, with a cursor', LAST],
])('treats a page with %s as the last one', async (_name, pagination) => {
  const { client, seen } = createScriptedClient([page([1], pagination)])
  expect(await client.users.list().toArray()).toEqual([1])
  expect(seen).toHaveLength(1)
})

test.each([
  ['no cursor', { has_next_page: true }],
  ['a null cursor', next(null)],
  ['an empty cursor', next('')],
  ['a number as cursor', next(7)],
  ['an object as cursor', next({ after: 1 })],
  ['text as has_next_page', { has_next_page: 'true', cursor: 'a' }],
  ['1 as has_next_page', { has_next_page: 1, cursor: 'a' }],
  ['a list as pagination', []],
  ['text as pagination', 'next'],
])('returns the items of earlier pages before it fails on %s', async (_name, pagination) => {
  const { client, seen } = createScriptedClient([page([1], pagination)])
  const items: unknown[] = []
  const error = await catchError(
    (async () => {
      for await (const item of client.users.list()) items.push(item)
    })(),
  )
  expect(error).toMatchObject({ name: 'ClientError', code: 'invalid_pagination' })
  expect(items).toEqual([1])
  expect(seen).toHaveLength(1)
})

test.each([
  ['at once', [page([1], next('a'))], undefined, 2],
  [
    'as a cycle of three',
    [page([1], next('a')), page([2], next('b')), page([3], next('c')), page([4], next('a'))],
    undefined,
    4,
  ],
  ['to where it started', [page([1], next('start'))], 'start', 1],
])('detects a repeated cursor %s', async (_name, steps, cursor, requests) => {
  const { client, seen } = createScriptedClient(steps)
  const list = client.users.list(cursor === undefined ? {} : { cursor })
  expect(await catchError(list.toArray())).toMatchObject({ code: 'pagination_loop' })
  expect(seen).toHaveLength(requests)
})

test('stops after maxPages', async () => {
  let count = 0
  const { client, seen } = createScriptedClient([() => page([], next(`c${(count += 1)}`))], {
    maxPages: 3,
  })
  expect(await catchError(client.users.list().toArray())).toMatchObject({ code: 'too_many_pages' })
  expect(seen).toHaveLength(3)
})

test.each([{}, 'users', 5, undefined])('rejects %j as data of a page', async (data) => {
  const { client } = createScriptedClient([page(data)])
  expect(await catchError(client.users.list())).toMatchObject({ code: 'invalid_response' })
  expect(await catchError(client.users.list().toArray())).toMatchObject({
    code: 'invalid_response',
  })
})

test('reads null as an empty list and as no cursor', async () => {
  const last = { cursor: null, has_next_page: false }
  const { client } = createScriptedClient([page(null, next('a')), page([1], last)])
  const pages = await collect(client.users.list().pages())
  expect(pages.map(({ data }) => data)).toEqual([[], [1]])
  expect(pages.at(-1)?.pagination).toEqual({ has_next_page: false })
})

test('reports a failure on a later page after the items before it', async () => {
  const { client } = createScriptedClient([page([1], next('a')), new Response('', { status: 404 })])
  const items = client.users.list()[Symbol.asyncIterator]()
  expect(await items.next()).toEqual({ done: false, value: 1 })
  expect(await catchError(items.next())).toMatchObject({ code: 'api_error', status: 404 })
})
