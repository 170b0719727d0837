import { expect, test } from 'vitest'
import { failureOf, json, page, scripted, TOKEN } from '../helpers/scripted-api.ts'

const LISTS = [
  ['ticketForms', '/ticket-forms'],
  ['users', '/users'],
  ['knowledgeBases', '/knowledge-bases'],
  ['teams', '/teams'],
  ['tags', '/tags'],
  ['userRoles', '/user-roles'],
] as const

test.each(LISTS)('%s.list() reads GET %s and nothing else', async (resource, path) => {
  const { client, seen } = scripted([page([{ id: '1', other: true }])])
  const list = await client[resource].list()
  expect(list).toEqual({ data: [{ id: '1', other: true }], request_id: 'req_1' })
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ method: 'GET', body: undefined, redirect: 'manual' })
  expect(seen[0]?.url.href).toBe(`https://api.example.com/v1${path}`)
  expect(seen[0]?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`)
})

test('tasks.create() sends its fields as query parameters and no body', async () => {
  const { client, seen } = scripted([json({ data: { id: 'task_1' }, request_id: 'req_9' })])
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

test('tasks.create() sends a JSON body when asked to', async () => {
  const { client, seen } = scripted([json({ data: {} })], { createTask: 'json' })
  await client.tasks.create({ title: 'x', due_date: new Date(0) })
  expect(seen[0]?.url.search).toBe('')
  expect(seen[0]?.headers.get('content-type')).toBe('application/json')
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    title: 'x',
    due_date: '1970-01-01T00:00:00.000Z',
  })
})

test.each([
  ['no title', {}],
  ['a title that is a number', { title: 5 }],
  ['a title of half a surrogate pair', { title: '\uD800' }],
  ['null', { title: 'x', body_html: null }],
  ['an unknown status', { title: 'x', status: 'done' }],
  ['a boolean as text', { title: 'x', customer_portal_visible: 'true' }],
  ['a date without an offset', { title: 'x', due_date: '2027-03-01T09:00:00' }],
  ['an invalid Date', { title: 'x', due_date: new Date(NaN) }],
  ['a Date beyond the year 9999', { title: 'x', due_date: new Date(8.64e15) }],
  ['a field that does not exist', { title: 'x', assigneeId: '1' }],
])('tasks.create() refuses %s and sends nothing', async (_name, task) => {
  const { client, seen } = scripted([json({ data: {} })])
  expect(await failureOf(client.tasks.create(task as any))).toMatchObject({
    code: 'invalid_parameter',
  })
  expect(seen).toHaveLength(0)
})

test('tasks.create() suggests the field that was meant', async () => {
  const { client } = scripted([json({ data: {} })])
  expect(
    (await failureOf(client.tasks.create({ title: 'x', assigneeId: '1' } as any))).message,
  ).toContain('did you mean assignee_id?')
})

test('warns of a long URL, and refuses one that servers would', async () => {
  const warnings: unknown[] = []
  const logger = {
    debug() {},
    info() {},
    warn: (fields: object) => warnings.push(fields),
    error() {},
  }
  const { client, seen } = scripted([json({ data: {} })], { logger })
  await client.tasks.create({ title: 'x'.repeat(7_000) })
  expect(warnings).toEqual([])
  await client.tasks.create({ title: 'x'.repeat(9_000) })
  expect(warnings).toMatchObject([{ operation: '/tasks', bytes: expect.any(Number) }])
  const error = await failureOf(client.tasks.create({ title: '☎'.repeat(2_000) }))
  expect(error).toMatchObject({ code: 'url_too_long', message: expect.stringContaining('16000') })
  expect(seen).toHaveLength(2)
})

test('messages.redact() writes each id as one segment of the path', async () => {
  const { client, seen } = scripted([json({ data: { id: 'm', message_html: '' } })])
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
  'messages.redact() refuses %j as an id and sends nothing',
  async (id) => {
    const { client, seen } = scripted([json({ data: {} })])
    expect(
      await failureOf(client.messages.redact({ issue_id: id as any, message_id: 'm' })),
    ).toMatchObject({ code: 'invalid_parameter' })
    expect(
      await failureOf(client.messages.redact({ issue_id: 'i', message_id: id as any })),
    ).toMatchObject({ code: 'invalid_parameter' })
    expect(seen).toHaveLength(0)
  },
)

test('request() calls what the contract does not show', async () => {
  const { client, seen } = scripted([json({ ok: true })])
  const answer = await client.request('patch', '/issues/1/tags', {
    query: { a: 1, b: [true, 'x y'], c: undefined },
    body: { tag: 'vip' },
    headers: { 'x-extra': '1' },
  })
  expect(answer).toEqual({ ok: true })
  expect(seen[0]).toMatchObject({ method: 'PATCH', body: '{"tag":"vip"}' })
  expect(seen[0]?.url.href).toBe('https://api.example.com/v1/issues/1/tags?a=1&b=true&b=x%20y')
  expect(seen[0]?.headers.get('x-extra')).toBe('1')
})

test('request() resolves to undefined for an answer without a body', async () => {
  const { client } = scripted([new Response(null, { status: 204 })])
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
])('request() refuses the path %j and sends nothing', async (path) => {
  const { client, seen } = scripted([json({})])
  expect(await failureOf(client.request('GET', path))).toMatchObject({ code: 'invalid_parameter' })
  expect(seen).toHaveLength(0)
})

test.each([
  ['NaN', { query: { a: Number.NaN } }],
  ['an object', { query: { a: {} as any } }],
  ['a body with GET', { body: {} }],
])('request() refuses %s', async (_name, options) => {
  expect(await failureOf(scripted([json({})]).client.request('GET', '/x', options))).toMatchObject({
    code: 'invalid_parameter',
  })
})

test('withResponse() gives data, request id, status, headers and attempts', async () => {
  const { client } = scripted([
    json({}, 503),
    json({ data: [], request_id: 'req_7' }, 200, { 'x-rate': '9' }),
  ])
  const { data, requestId, response, attempts } = await client.users.list().withResponse()
  expect(data.data).toEqual([])
  expect([requestId, response.status, response.headers.get('x-rate'), attempts]).toEqual([
    'req_7',
    200,
    '9',
    2,
  ])
  const single = scripted([json({ data: { id: 't' }, request_id: 'req_8' })]).client
  expect(await single.tasks.create({ title: 'x' }).withResponse()).toMatchObject({
    data: { id: 't' },
    requestId: 'req_8',
    attempts: 1,
  })
})

test.each([
  ['a path', 'https://api.example.com/v1'],
  ['a slash at the end', 'https://api.example.com/v1/'],
  ['loopback over http', 'http://127.0.0.1:9'],
  ['localhost over http', 'http://localhost:9/api/'],
  ['IPv6 loopback over http', 'http://[::1]:9'],
])('accepts a base address with %s', async (_name, baseUrl) => {
  const { client, seen } = scripted([page([])], { baseUrl })
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
])('refuses a base address with %s', (_name, baseUrl) => {
  expect(() => scripted([page([])], { baseUrl })).toThrow(
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
])('refuses %s as a body, before anything is sent', async (_name, body) => {
  const { client, seen } = scripted([json({})])
  const error = await failureOf(client.request('POST', '/x', { body: body() }))
  expect(error.code).toBe('invalid_parameter')
  expect(seen).toHaveLength(0)
})

test('refuses an invalid Date also as JSON, and ids that are not given', async () => {
  const { client, seen } = scripted([json({})], { createTask: 'json' })
  const invalid = [
    client.tasks.create({ title: 'x', due_date: new Date(NaN) }),
    client.tasks.create({ title: 'x', due_date: new Date(8e15) }),
    client.tasks.create(undefined as never),
    client.messages.redact(undefined as never),
  ]
  for (const error of await Promise.all(invalid.map(failureOf))) {
    expect(error).toMatchObject({ code: 'invalid_parameter', attempts: 0 })
  }
  expect(seen).toHaveLength(0)
})
