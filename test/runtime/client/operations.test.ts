import { expect, test } from 'vitest'
import { catchError, json, page, createScriptedClient, TOKEN } from '../../helpers/scripted-api.ts'

const LISTS = [
  ['ticketForms', '/ticket-forms'],
  ['users', '/users'],
  ['knowledgeBases', '/knowledge-bases'],
  ['teams', '/teams'],
  ['tags', '/tags'],
  ['userRoles', '/user-roles'],
] as const

test.each(LISTS)('%s.list() sends GET %s', async (resource, path) => {
  const { client, seen } = createScriptedClient([page([{ id: '1', other: true }])])
  const list = await client[resource].list()
  expect(list).toEqual({ data: [{ id: '1', other: true }], request_id: 'req_1' })
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ method: 'GET', body: undefined, redirect: 'manual' })
  expect(seen[0]?.url.href).toBe(`https://api.example.com/v1${path}`)
  expect(seen[0]?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`)
  expect(seen[0]?.headers.get('accept')).toBe('application/json')
})

test('tasks.create() sends its fields as query parameters and no body', async () => {
  const { client, seen } = createScriptedClient([
    json({ data: { id: 'task_1' }, request_id: 'req_9' }),
  ])
  const task = await client.tasks.create({
    title: 'Call back & ask + 100% ☎ 日本',
    body_html: '<p>Hi</p>',
    status: 'in_progress',
    customer_portal_visible: false,
    due_date: new Date('2027-03-01T09:00:00Z'),
    account_id: undefined,
  })
  expect(task).toEqual({ id: 'task_1' })
  expect(seen[0]).toMatchObject({ method: 'POST', body: undefined })
  expect(seen[0]?.headers.has('content-type')).toBe(false)
  expect(seen[0]?.url.pathname).toBe('/v1/tasks')
  expect([...seen[0]!.url.searchParams]).toEqual([
    ['title', 'Call back & ask + 100% ☎ 日本'],
    ['body_html', '<p>Hi</p>'],
    ['status', 'in_progress'],
    ['customer_portal_visible', 'false'],
    ['due_date', '2027-03-01T09:00:00.000Z'],
  ])
})

test.each([
  ['no title', {}],
  ['a title that is a number', { title: 5 }],
  ['a title with an unpaired surrogate', { title: '\uD800' }],
  ['null', { title: 'x', body_html: null }],
  ['an unknown status', { title: 'x', status: 'done' }],
  ['a boolean as text', { title: 'x', customer_portal_visible: 'true' }],
  ['a date-time without an offset', { title: 'x', due_date: '2027-03-01T09:00:00' }],
  ['a date without a time', { title: 'x', due_date: '2027-03-01' }],
  ['milliseconds as a date', { title: 'x', due_date: 1_800_000_000_000 }],
  ['an invalid Date', { title: 'x', due_date: new Date(NaN) }],
  ['a Date beyond the year 9999', { title: 'x', due_date: new Date(8.64e15) }],
  ['a field that does not exist', { title: 'x', assigneeId: '1' }],
])('tasks.create() rejects %s and sends nothing', async (_name, task) => {
  const { client, seen } = createScriptedClient([json({ data: {} })])
  expect(await catchError(client.tasks.create(task as any))).toMatchObject({
    code: 'invalid_parameter',
  })
  expect(seen).toHaveLength(0)
})

test('tasks.create() suggests the right field', async () => {
  const { client } = createScriptedClient([json({ data: {} })])
  expect(
    (await catchError(client.tasks.create({ title: 'x', assigneeId: '1' } as any))).message,
  ).toContain('Did you mean assignee_id?')
})

test('sends a URL of 16,000 bytes, and rejects a longer one, which servers reject', async () => {
  const { client, seen } = createScriptedClient([json({ data: {} })])
  const room = 16_000 - 'https://api.example.com/v1/tasks?title='.length
  await client.tasks.create({ title: 'x'.repeat(room) })
  expect(seen).toHaveLength(1)
  for (const title of ['x'.repeat(room + 1), '☎'.repeat(2_000)]) {
    // oxlint-disable-next-line no-await-in-loop -- each title is its own case
    const error = await catchError(client.tasks.create({ title }))
    expect(error).toMatchObject({ code: 'url_too_long', message: expect.stringContaining('16000') })
  }
  expect(seen).toHaveLength(1)
})

test('messages.redact() encodes each ID as one path segment', async () => {
  const { client, seen } = createScriptedClient([json({ data: { id: 'm', message_html: '' } })])
  await client.messages.redact({ issue_id: 'a/b?c#d e', message_id: '%2e%2e' })
  expect(seen[0]?.method).toBe('POST')
  expect(seen[0]?.body).toBeUndefined()
  expect(seen[0]?.url.href).toBe(
    'https://api.example.com/v1/issues/a%2Fb%3Fc%23d%20e/messages/%252e%252e/redact',
  )
  await client.messages.redact({ issue_id: '$&', message_id: '{message_id}' })
  expect(seen[1]?.url.pathname).toBe('/v1/issues/%24%26/messages/%7Bmessage_id%7D/redact')
})

test.each(['', '.', '..', undefined, null, 5, '\uDC00'])(
  'messages.redact() rejects %j as an ID and sends nothing',
  async (id) => {
    const { client, seen } = createScriptedClient([json({ data: {} })])
    expect(
      await catchError(client.messages.redact({ issue_id: id as any, message_id: 'm' })),
    ).toMatchObject({ code: 'invalid_parameter' })
    expect(
      await catchError(client.messages.redact({ issue_id: 'i', message_id: id as any })),
    ).toMatchObject({ code: 'invalid_parameter' })
    expect(seen).toHaveLength(0)
  },
)

test('request() sends requests that the contract does not specify', async () => {
  const { client, seen } = createScriptedClient([json({ ok: true })])
  const answer = await client.request('patch', '/issues/1/tags', {
    query: { a: 1, b: [true, 'x y'], c: undefined },
    body: { tag: 'vip' },
  })
  expect(answer).toEqual({ ok: true })
  expect(seen[0]).toMatchObject({ method: 'PATCH', body: '{"tag":"vip"}' })
  expect(seen[0]?.url.href).toBe('https://api.example.com/v1/issues/1/tags?a=1&b=true&b=x%20y')
  expect(seen[0]?.headers.get('content-type')).toBe('application/json')
})

test('request() resolves to undefined for a response without a body', async () => {
  const { client } = createScriptedClient([new Response(null, { status: 204 })])
  expect(await client.request('DELETE', '/issues/1')).toBeUndefined()
})

test.each([
  '',
  'users',
  '//evil.example/',
  'https://evil.example/',
  '/\\evil.example',
  '/a/../b',
  '/a/%2e%2E/b',
  '/..',
  '/a?b=c',
  '/a#b',
  '/a b',
  '/\t',
  '/\uD800',
])('request() rejects the path %j and sends nothing', async (path) => {
  const { client, seen } = createScriptedClient([json({})])
  expect(await catchError(client.request('GET', path))).toMatchObject({ code: 'invalid_parameter' })
  expect(seen).toHaveLength(0)
})

test.each([
  ['NaN', { query: { a: Number.NaN } }],
  ['an object', { query: { a: {} as any } }],
  ['a body with GET', { body: {} }],
])('request() rejects %s', async (_name, options) => {
  expect(
    await catchError(createScriptedClient([json({})]).client.request('GET', '/x', options)),
  ).toMatchObject({
    code: 'invalid_parameter',
  })
})

test.each([
  ['a path', 'https://api.example.com/v1'],
  ['a slash at the end', 'https://api.example.com/v1/'],
  ['loopback over http', 'http://127.0.0.1:9'],
  ['localhost over http', 'http://localhost:9/api/'],
  ['IPv6 loopback over http', 'http://[::1]:9'],
])('accepts a base URL with %s', async (_name, baseUrl) => {
  const { client, seen } = createScriptedClient([page([])], { baseUrl })
  await client.users.list()
  expect(seen[0]?.url.href).toBe(`${baseUrl.replace(/\/$/, '')}/users`)
})

test.each([
  ['http to elsewhere', 'http://api.example.com'],
  ['http to a name that starts like loopback', 'http://127.0.0.1.evil.example'],
  ['a user name', 'https://user@api.example.com'],
  ['a query', 'https://api.example.com/?a=b'],
  ['a fragment', 'https://api.example.com/#a'],
  ['another scheme', 'ftp://api.example.com'],
  ['nothing', ''],
])('rejects a base URL with %s', (_name, baseUrl) => {
  expect(() => createScriptedClient([page([])], { baseUrl })).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  )
})

test.each([
  [
    'a cycle',
    () => {
      const a: Record<string, unknown> = {}
      a['a'] = a
      return a
    },
  ],
  ['a BigInt', () => ({ a: 1n })],
  ['a function', () => () => 1],
])('rejects %s as a body and sends nothing', async (_name, body) => {
  const { client, seen } = createScriptedClient([json({})])
  const error = await catchError(client.request('POST', '/x', { body: body() }))
  expect(error.code).toBe('invalid_parameter')
  expect(seen).toHaveLength(0)
})

test('rejects a missing task and missing IDs', async () => {
  const { client, seen } = createScriptedClient([json({})])
  const invalid = [
    client.tasks.create(undefined as never),
    client.messages.redact(undefined as never),
  ]
  for (const error of await Promise.all(invalid.map(catchError))) {
    expect(error).toMatchObject({ code: 'invalid_parameter', attempts: 0 })
  }
  expect(seen).toHaveLength(0)
})

test('a due date without an offset is rejected with a fix', async () => {
  const { client, seen } = createScriptedClient([json({ data: {} })])
  const error = await catchError(
    client.tasks.create({ title: 'x', due_date: '2027-03-01T09:00:00' }),
  )
  expect(error.message).toBe(
    '"due_date" must be an RFC 3339 date-time, got one without an offset. Append Z or +hh:mm, or pass a Date.',
  )
  expect(seen).toHaveLength(0)
})

test.each([
  ['limit', { limit: 0 }],
  ['limit', { limit: -1 }],
  ['limit', { limit: 1.5 }],
  ['limit', { limit: Number.NaN }],
  ['limit', { limit: null }],
  ['cursor', { cursor: '' }],
  ['cursor', { cursor: 7 }],
])('a list rejects an invalid %s (%j) and sends nothing', async (name, options) => {
  const { client, seen } = createScriptedClient([page([])])
  expect(await catchError(client.users.list(options as any))).toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(name),
  })
  expect(seen).toHaveLength(0)
})
