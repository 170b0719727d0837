import { expect, onTestFinished, test, vi } from 'vitest'
import { type Client, createClient } from 'sidecard/client'
import { catchError, createScriptedClient, json, page, TOKEN } from '../../helpers/scripted-api.ts'

const FIELDS =
  'title, body_html, milestone_id, status, customer_portal_visible, due_date, assignee_id, account_id, project_id'
const PATH =
  'client.request: the path must start with one slash and must not contain a query, fragment, backslash, whitespace or "..". Pass a query with the option `query`.'
const URL_OF_API =
  'must be a URL such as https://api.example.com/v1: https (http only to this machine), without credentials, a query or a fragment.'
const VALUE = 'must be a string, a finite number, a boolean or a valid Date.'
const create = (client: Client, task: unknown) => client.tasks.create(task as never)

test.each<[string, (client: Client) => PromiseLike<unknown>]>([
  ['"title" is required.', (client) => create(client, {})],
  ['"title" must be a string.', (client) => create(client, { title: 5 })],
  [
    '"customer_portal_visible" must be true or false.',
    (client) => create(client, { title: 'x', customer_portal_visible: 'true' }),
  ],
  [`"due_date" ${VALUE}`, (client) => create(client, { title: 'x', due_date: new Date(NaN) })],
  ['"title" contains an unpaired surrogate.', (client) => create(client, { title: '\uD800' })],
  [
    'issue_id must be a non-empty ID other than "." and "..".',
    (client) => client.messages.redact({ issue_id: '', message_id: 'm' }),
  ],
  [
    'message_id must be a non-empty ID other than "." and "..".',
    (client) => client.messages.redact({ issue_id: 'i', message_id: '..' }),
  ],
  [PATH, (client) => client.request('GET', 'users')],
  [PATH, (client) => client.request('GET', '//host/users')],
  [PATH, (client) => client.request('GET', 7 as never)],
  [`"at" ${VALUE}`, (client) => client.request('GET', '/x', { query: { at: NaN } })],
  [`"at" ${VALUE}`, (client) => client.request('GET', '/x', { query: { at: {} as never } })],
  [`"at" ${VALUE}`, (client) => client.request('GET', '/x', { query: { at: new Date(NaN) } })],
  ...['', 'GE T', 'GET1', 'A'.repeat(21), 7, undefined].map(
    (method): [string, (client: Client) => PromiseLike<unknown>] => [
      'client.request: use an HTTP method, such as GET.',
      (client) => client.request(method as never, '/x'),
    ],
  ),
  [
    'client.request: GET does not accept a body; use query.',
    (client) => client.request('get', '/x', { body: {} }),
  ],
  [
    'client.request: HEAD does not accept a body; use query.',
    (client) => client.request('HEAD', '/x', { body: {} }),
  ],
])('a mistake is rejected before anything is sent: %s', async (message, call) => {
  const { client, seen } = createScriptedClient([page([])])
  expect(await catchError(call(client))).toMatchObject({ code: 'invalid_parameter', message })
  expect(seen).toHaveLength(0)
})

test('an unknown field of a task is rejected with the known ones', async () => {
  const { client } = createScriptedClient([page([])])
  const { message } = await catchError(create(client, { title: 'x', nothing_like_it: 1 }))
  expect(message).toBe(
    `client.tasks.create: there is no field "nothing_like_it". The fields are ${FIELDS}.`,
  )
})

test('paths with slashes and dots inside their names are accepted', async () => {
  const { client, seen } = createScriptedClient([json({})])
  for (const path of ['/a//b', '/a/b..c', '/...', '/.a', '/']) await client.request('GET', path)
  expect(seen.map(({ url }) => url.pathname)).toEqual([
    '/v1/a//b',
    '/v1/a/b..c',
    '/v1/...',
    '/v1/.a',
    '/v1/',
  ])
})

const list = (client: Client) => client.users.list()
const redact = (client: Client) => client.messages.redact({ issue_id: 'i', message_id: 'm' })
const next = (cursor: string) => ({ has_next_page: true, cursor })

test.each<[string, string, (client: Client) => PromiseLike<unknown>, () => Response]>([
  ['invalid_response', 'the response is not JSON.', list, () => new Response(' ')],
  ['invalid_response', 'the response is not JSON.', list, () => new Response('<p>')],
  ['invalid_response', 'the response is not a JSON object.', list, () => json([])],
  ['invalid_response', 'the response has no array in `data`.', list, () => json({ data: {} })],
  [
    'invalid_response',
    'the response has no object in `data`. The request may have been processed: check before retrying.',
    redact,
    () => json({ data: [] }),
  ],
  [
    'pagination_loop',
    'the API returned the same cursor twice.',
    (client) => client.users.list().toArray(),
    () => page([1], next('a')),
  ],
  [
    'invalid_pagination',
    '`pagination` is not an object.',
    (client) => client.users.list().toArray(),
    () => page([], []),
  ],
  [
    'invalid_pagination',
    '`has_next_page` is not a boolean.',
    (client) => client.users.list().toArray(),
    () => page([], { has_next_page: 1 }),
  ],
  [
    'invalid_pagination',
    '`has_next_page` is true but there is no cursor.',
    (client) => client.users.list().toArray(),
    () => page([], next('')),
  ],
  [
    'redirect',
    'the API returned a redirect, which the client does not follow. Check baseUrl.',
    list,
    () => new Response(null, { status: 302, headers: { location: '/' } }),
  ],
])('a response that cannot be used is %s: %s', async (code, problem, call, respond) => {
  const { client } = createScriptedClient([respond])
  const error = await catchError(call(client))
  expect(error.code).toBe(code)
  const label = call === redact ? 'POST /issues/{id}/messages/{message_id}/redact' : 'GET /users'
  expect(error.message).toBe(`${label}: ${problem}`)
})

test('a list of too many pages says how many', async () => {
  let count = 0
  const { client } = createScriptedClient([() => page([], next(`c${(count += 1)}`))], {
    maxPages: 3,
  })
  const error = await catchError(client.users.list().toArray())
  expect(error.message).toBe('GET /users: the list has more than 3 pages (maxPages).')
})

test('an opaque redirect, as browsers return it, is a redirect', async () => {
  const response = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })
  const { client } = createScriptedClient([() => response])
  expect(await catchError(client.users.list())).toMatchObject({ code: 'redirect' })
})

test('an access token that cannot be loaded says so, without a token', async () => {
  const accessToken = () => Promise.reject(new Error(TOKEN))
  const { client } = createScriptedClient([page([])], { accessToken })
  const { message } = await catchError(client.users.list())
  expect(message).toBe('createClient: accessToken: the token function threw.')
})

test.each([
  'not a URL',
  'https://user@api.example.com',
  'https://:secret@api.example.com',
  'https://api.example.com?a=b',
  'https://api.example.com#a',
  'ftp://api.example.com',
  'http://api.example.com',
  'http://api.localhost',
])('the base URL %s is rejected', (baseUrl) => {
  expect(() => createClient({ baseUrl, accessToken: TOKEN })).toThrow(
    `createClient: baseUrl ${URL_OF_API}`,
  )
})

const MAYBE = '. The request may have been processed: check before retrying.'

test.each([
  ['GET', 500, {}, '.'],
  ['HEAD', 503, {}, '.'],
  ['GET', 429, { 'retry-after': '0' }, '.'],
  ['GET', 429, { 'retry-after': '0.2' }, '. Retry after 1 s.'],
  ['POST', 500, {}, MAYBE],
  ['POST', 408, {}, MAYBE],
  ['DELETE', 503, { 'retry-after': '9' }, MAYBE],
  ['POST', 409, {}, '.'],
  ['POST', 401, {}, '. Check accessToken.'],
])(
  'the message of a failed %s with status %d (%j) ends with %j',
  async (method, status, headers, end) => {
    const respond = () => new Response(method === 'HEAD' ? null : '{}', { status, headers })
    const { client } = createScriptedClient([respond], { retry: false })
    const { message } = await catchError(client.request(method, '/x'))
    expect(message).toBe(`${method} request(): the API returned ${status}${end}`)
  },
)

test('a call says whether it was aborted before, during or after a request', async () => {
  const before = createScriptedClient([page([])])
  const early = await catchError(before.client.users.list({ signal: AbortSignal.abort() }))
  expect([early.message, early.attempts, before.seen.length]).toEqual([
    'GET /users: aborted before the request was sent.',
    0,
    0,
  ])
  const controller = new AbortController()
  const abort = () => (controller.abort(), new Promise<never>(() => undefined))
  const during = createScriptedClient([abort]).client
  const late = await catchError(during.tasks.create({ title: 'x' }, { signal: controller.signal }))
  expect([late.message, late.attempts]).toEqual([`POST /tasks: aborted${MAYBE}`, 1])
})

test('leaves no timer and no listener behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { signal } = new AbortController()
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  const client = createClient({
    baseUrl: 'https://api.example.com',
    accessToken: TOKEN,
    fetch: async () => page([1]),
  })
  await client.users.list({ signal })
  expect(vi.getTimerCount()).toBe(0)
  expect(added).toHaveBeenCalledTimes(1)
  expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2))
})

test('a wait between two attempts leaves no listener on the signal of the call', async () => {
  const { signal } = new AbortController()
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  let calls = 0
  const client = createClient({
    baseUrl: 'https://api.example.com',
    accessToken: TOKEN,
    retry: { baseDelayMs: 1 },
    fetch: async () => ((calls += 1) === 1 ? json({}, 503) : page([1])),
  })
  expect((await client.users.list({ signal })).data).toEqual([1])
  const listeners = (recorded: unknown[][]) => recorded.map(([type, listener]) => [type, listener])
  expect(added).toHaveBeenCalledTimes(3)
  expect(listeners(removed.mock.calls)).toEqual(listeners(added.mock.calls))
})
