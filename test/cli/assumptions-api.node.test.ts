import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createClient, type Client } from 'sidecard/client'
import { listen } from '../helpers/listen.ts'
import { decide, resultOf } from './assumptions-traffic.ts'

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The data of customers, which no output may contain. */
const USER = {
  id: 'usr_8841730',
  name: 'Jane Falcon',
  email: 'jane@northwind.example',
  status: 'away',
}

/** Calls a real API with the client, and records the requests as a proxy does. */
async function recordApi(
  reply: (request: IncomingMessage, query: URLSearchParams) => Reply,
  call: (client: Client) => unknown,
): Promise<object> {
  const baseUrl = await listen((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x')
    const { status = 200, headers = {}, body } = reply(request, searchParams)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  })
  const entries: object[] = []
  const client = createClient({
    baseUrl,
    accessToken: 'token-zq9xk-wuv37',
    retry: { maxRetries: 0 },
    async fetch(url, init) {
      const request = new Request(url, init)
      const startedDateTime = new Date().toISOString()
      const response = await fetch(request)
      const content = { text: await response.clone().text() }
      const headers = (of: Headers) => [...of].map(([name, value]) => ({ name, value }))
      entries.push({
        startedDateTime,
        time: 12,
        request: { method: request.method, url: request.url, headers: headers(request.headers) },
        response: { status: response.status, headers: headers(response.headers), content },
      })
      return response
    },
  })
  try {
    await call(client)
  } catch {
    // The client reports failures, which is not what the test is about.
  }
  return { log: { version: '1.2', entries } }
}

const page = (data: readonly unknown[], cursor?: string): Reply => ({
  body: { data, pagination: { cursor, has_next_page: cursor !== undefined }, request_id: 'req_1' },
})
const users = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...USER, id: `usr_${index}` }))
const readUsers = (client: Client) => client.users.list().toArray({ max: 1_000 })
const error =
  (body: unknown, status = 404, headers = {}) =>
  () => ({ status, headers, body })
const single =
  (data: unknown, status = 200) =>
  () => ({ status, body: { data, request_id: 'req_1' } })
const redact = (client: Client) =>
  client.messages.redact({ issue_id: 'iss_1', message_id: 'msg_1' })

type Row = readonly [
  id: string,
  status: 'holds' | 'does_not_hold' | 'skipped',
  what: string,
  reply: Parameters<typeof recordApi>[0],
  call: (client: Client) => unknown,
  text: string,
]

const ROWS: readonly Row[] = [
  [
    'A11',
    'holds',
    'two pages',
    (_, query) => (query.has('cursor') ? page(users(3)) : page(users(50), 'page_two')),
    readUsers,
    'the parameter cursor returned 1 next page',
  ],
  [
    'A11',
    'does_not_hold',
    'the same page again',
    () => page(users(50), 'page_two'),
    readUsers,
    'got the same page',
  ],
  [
    'A11',
    'does_not_hold',
    'a rejected cursor',
    (_, query) =>
      query.has('cursor') ? { status: 400, body: { message: 'x' } } : page(users(50), 'page_two'),
    readUsers,
    'got status 400',
  ],
  [
    'A11',
    'does_not_hold',
    'another parameter',
    (_, query) => (query.has('after') ? page([]) : page(users(50), 'page_two')),
    async (client) => {
      await client.users.list()
      await client.request('GET', '/users', { query: { after: 'page_two' } })
    },
    'the parameter after returned the next page',
  ],
  ['A11', 'skipped', 'one page', () => page(users(3)), readUsers, 'no list has a next page'],
  [
    'A11',
    'skipped',
    'a first page only',
    () => page(users(50), 'page_two'),
    (client) => client.users.list(),
    'no next page was requested',
  ],
  [
    'A12',
    'holds',
    'a message in the body',
    error({ error: { message: 'Unknown', code: 'not_found' } }),
    readUsers,
    'status 404: 1 call, with the fields error, error.message, error.code',
  ],
  [
    'A12',
    'does_not_hold',
    'another field',
    error({ detail: USER.email }),
    readUsers,
    'status 404 without a known message or code, with the fields detail',
  ],
  [
    'A12',
    'does_not_hold',
    'an error as HTML',
    error('<h1>Not found</h1>'),
    readUsers,
    'with the fields none',
  ],
  [
    'A12',
    'does_not_hold',
    'a success without data',
    error({ error: 'x' }, 200),
    readUsers,
    'status 200 without data',
  ],
  [
    'A12',
    'does_not_hold',
    'a redirect',
    error('', 302, { location: '/login' }),
    readUsers,
    'status 302 is neither',
  ],
  ['A12', 'skipped', 'no error', () => page(users(1)), readUsers, 'no call failed'],
  [
    'A13',
    'holds',
    'Retry-After',
    error({ message: 'x' }, 429, { 'retry-after': '7', 'x-ratelimit-limit': '100' }),
    readUsers,
    'status 429: 1 call, with a delay of up to 7 seconds\nheaders about limits: retry-after, x-ratelimit-limit',
  ],
  [
    'A13',
    'does_not_hold',
    'no Retry-After',
    error({ message: 'x' }, 429, { 'x-ratelimit-reset': '1' }),
    readUsers,
    '1 of 1 responses with status 429 do not say',
  ],
  [
    'A13',
    'does_not_hold',
    'five minutes',
    error({ message: 'x' }, 429, { 'retry-after': '300' }),
    readUsers,
    'more than 60 seconds',
  ],
  ['A13', 'skipped', 'no limit', () => page(users(1)), readUsers, 'no call got status 429'],
  [
    'A14',
    'holds',
    'absent, other and open fields',
    () => page([USER, { id: 'usr_2', team: 'x' }]),
    readUsers,
    'user, absent in at least one: name, email, emails, avatar_url, role_id, status\nuser, not in the contract: team\nuser, values of status: away',
  ],
  [
    'A14',
    'does_not_hold',
    'null',
    () => page([{ ...USER, role_id: null }]),
    readUsers,
    'user.role_id',
  ],
  [
    'A14',
    'does_not_hold',
    'a number',
    () => page([{ ...USER, id: 8_841_730 }]),
    readUsers,
    'user.id',
  ],
  ['A14', 'skipped', 'no data', error({ message: 'x' }, 500), readUsers, 'no call returned data'],
  [
    'A15',
    'holds',
    'what the emulator does',
    single({ id: 'msg_1', message_html: '', file_urls: [] }),
    redact,
    'without text and files: 1 redacted message',
  ],
  [
    'A15',
    'does_not_hold',
    'status 201',
    single({ id: 'tsk_1' }, 201),
    (client) => client.tasks.create({ title: 'x' }),
    'successful with status 201: 1 call',
  ],
  [
    'A15',
    'does_not_hold',
    'pages of 20',
    (_, query) => (query.has('cursor') ? page([]) : page(users(20), 'page_two')),
    readUsers,
    'has 20 items, not 50',
  ],
  [
    'A15',
    'does_not_hold',
    'a message that is still there',
    single({ id: 'msg_1', message_html: '<p>Falcon</p>' }),
    redact,
    'with text or files: 1 of 1 redacted message',
  ],
  ['A15', 'skipped', 'only failures', error({ message: 'x' }, 500), readUsers, 'no call succeeded'],
]

test.each(ROWS)('%s %s for %s', async (id, status, _what, reply, call, text) => {
  const report = await decide(await recordApi(reply, call))
  expect(resultOf(report, id)).toEqual({ status, text: expect.stringContaining(text) })
  for (const value of ['8841730', 'Falcon', 'northwind', 'zq9xk', '127.0.0.1', 'req_1']) {
    expect(report.text).not.toContain(value)
  }
})

test.each(['A11', 'A12', 'A13', 'A14', 'A15'])(
  '%s is skipped without calls of the API',
  async (id) => {
    const report = await decide({ log: { entries: [] } })
    expect(resultOf(report, id)).toEqual({
      status: 'skipped',
      text: 'the file contains no API call',
    })
  },
)

test('ignores requests to another API with the same paths, and those to the emulator', async () => {
  const startedDateTime = '2026-11-22T10:00:00Z'
  const entry = (url: string, headers: object, body: object, sent: readonly object[] = []) => ({
    startedDateTime,
    time: 1,
    request: { method: 'GET', url, headers: sent },
    response: { status: 200, headers, content: { text: JSON.stringify(body) } },
  })
  const bearer = [{ name: 'Authorization', value: 'Bearer x' }]
  const deviation = [{ name: 'x-sidecard-deviation', value: 'unknown_parameter' }]
  const report = await decide({
    log: {
      entries: [
        entry('https://other.example/users', [], { users: [] }),
        entry(
          'http://127.0.0.1:4310/users?limit=1',
          deviation,
          { data: [], request_id: 'x' },
          bearer,
        ),
      ],
    },
  })
  expect(report.requests).toMatchObject({ apiCalls: 0, ignored: 2 })
})
