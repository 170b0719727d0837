import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { type FetchDataContext, identify, section, text } from 'sidecard'
import { FETCH_DATA, createTestApp, readPayload, VERIFY } from '../../helpers/app.ts'

const app = createTestApp()

function expectSafeHeaders(response: Response) {
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(response.headers.get('content-type')).toMatch(
    /^(application\/(problem\+)?json|text\/plain)$/,
  )
}

test('responds to a data fetch with a payload of schema 1.0.0', async () => {
  const response = await app.request(FETCH_DATA)
  expectSafeHeaders(response)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await readPayload(response)).toEqual({
    version: '1.0.0',
    header: { title: 'Test' },
    components: [{ type: 'text', label: 'Plan', value: 'Pro' }],
  })
})

test.each([
  ['no query', '/', 'missing_request_type'],
  ['an empty request_type', '/?request_type=', 'missing_request_type'],
  ['an unknown request_type', '/?request_type=delete_everything', 'unknown_request_type'],
  ['a differently-cased value', '/?request_type=Verify&code=x', 'unknown_request_type'],
  ['a differently-cased name', '/?Request_Type=verify&code=x', 'missing_request_type'],
  ['a bracketed name', '/?request_type[]=verify&code=x', 'missing_request_type'],
  ['a prototype name as request type', '/?request_type=__proto__', 'unknown_request_type'],
  ['constructor as request type', '/?request_type=constructor', 'unknown_request_type'],
  [
    'prototype-named parameters',
    '/?__proto__[request_type]=verify&constructor=x',
    'missing_request_type',
  ],
  ['a request_type in the fragment', '/#?request_type=verify&code=x', 'missing_request_type'],
  [
    'two request types',
    '/?request_type=verify&request_type=fetch_data&code=x',
    'duplicate_parameter',
  ],
  [
    'a repeated request type',
    '/?request_type=verify&request_type=verify&code=x',
    'duplicate_parameter',
  ],
  ['no code', '/?request_type=verify', 'missing_code'],
  ['an empty code', '/?request_type=verify&code=', 'missing_code'],
  ['two codes', '/?request_type=verify&code=a&code=b', 'duplicate_parameter'],
  ['a code of 513 characters', `/?request_type=verify&code=${'x'.repeat(513)}`, 'code_too_long'],
  ['a duplicate ID', `${FETCH_DATA}&account_id=account-2`, 'duplicate_parameter'],
  ['an encoded duplicate', `${FETCH_DATA}&account%5Fid=account-2`, 'duplicate_parameter'],
])('rejects %s with a problem response that names it', async (_name, path, code) => {
  const response = await app.request(path)
  expect(response.status).toBe(400)
  expectSafeHeaders(response)
  const problem: any = await response.json()
  expect(problem).toMatchObject({ status: 400, code })
  expect(problem.expects.verify).toContain('request_type=verify')
})

test('names a duplicate parameter but not its values', async () => {
  const response = await app.request(`${FETCH_DATA}&account_id=canary-2&account_id=canary-3`)
  const body = await response.text()
  expect(JSON.parse(body).parameters).toEqual(['account_id'])
  expect(body).not.toContain('canary')
  expect(body).not.toContain('account-1')
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])(
  'rejects %s and lists GET as allowed',
  async (method) => {
    const response = await app.request(FETCH_DATA, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET')
    expectSafeHeaders(response)
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
  },
)

test('rejects HEAD without a body and without calling fetchData', async () => {
  let calls = 0
  const counting = createTestApp({ fetchData: () => ((calls += 1), []) })
  const response = await counting.request(FETCH_DATA, { method: 'HEAD' })
  expect(response.status).toBe(405)
  expect(await response.text()).toBe('')
  expect(calls).toBe(0)
})

test.each(['/other', '/favicon.ico', '//', '/index.html?request_type=verify&code=x'])(
  'returns a JSON 404 for %s',
  async (path) => {
    const response = await app.fetch(new Request(`http://localhost${path}`))
    expect(response.status).toBe(404)
    expectSafeHeaders(response)
    expect(await response.json()).toMatchObject({ code: 'not_found' })
  },
)

test('ignores parameters that the contract does not have', async () => {
  expect((await app.request(`${FETCH_DATA}&tenant=1&__proto__=x&code=a&code=b`)).status).toBe(200)
  expect((await app.request(`${VERIFY}&app_id=1&app_id=2`)).status).toBe(200)
})

test('a path is no query', async () => {
  const server = new Hono().route('/:tenant', app)
  const response = await server.request('/acme&request_type=verify&code=c0de')
  expect(await response.json()).toMatchObject({ code: 'missing_request_type' })
})

test('sends the trace ID only with a failure or a designed card', async () => {
  const trace = async (options: Parameters<typeof createTestApp>[0]) => {
    const { headers } = await createTestApp(options).request(FETCH_DATA)
    return headers.get('x-sidecard-trace')
  }
  const id = expect.stringMatching(/^[2-9a-z]{12}$/)
  expect(await trace({})).toBeNull()
  expect(await trace({ fetchData: () => [] })).toBeNull()
  expect(await trace({ fetchData: () => Promise.reject(new Error('x')) })).toEqual(id)
  const fetchData = async (ctx: FetchDataContext) =>
    identify(ctx, { account_id: () => null }) as never
  expect(await trace({ fetchData })).toEqual(id)
})

test('passes the seven IDs unchanged, with absent and empty ones as undefined', async () => {
  let params: unknown
  const spying = createTestApp({ fetchData: (ctx) => ((params = { ...ctx.params }), []) })
  await spying.request(
    '/?request_type=fetch_data&account_id=a%2Bb+c%26d&requester_email=%F0%9F%99%82@x&issue_id=',
  )
  expect(params).toEqual({
    app_id: undefined,
    widget_id: undefined,
    issue_id: undefined,
    organization_id: undefined,
    account_id: 'a+b c&d',
    requester_id: undefined,
    requester_email: '🙂@x',
  })
})

test('passes each of the seven IDs under its own name', async () => {
  let params: unknown
  const spying = createTestApp({ fetchData: (ctx) => ((params = { ...ctx.params }), []) })
  await spying.request(FETCH_DATA)
  expect(params).toEqual({
    app_id: 'app-1',
    widget_id: 'widget-1',
    issue_id: 'issue-1',
    organization_id: 'org-1',
    account_id: 'account-1',
    requester_id: 'user-1',
    requester_email: 'jane@example.com',
  })
})

test.each<[string, () => any, object[]]>([
  ['a component', () => text({ label: 'a', value: 'b' }), [{ type: 'text' }]],
  ['a promise of a component', async () => text({ label: 'a', value: 'b' }), [{ type: 'text' }]],
  ['a section', () => section('S', () => null), []],
  [
    'a section with content',
    () => section('S', () => text({ label: 'a', value: 'b' })),
    [{ type: 'card', header: { title: 'S' }, components: [{ type: 'text' }] }],
  ],
  ['null', () => null, []],
  ['false', () => false, []],
])('fetchData may return %s alone', async (_name, fetchData, components) => {
  const response = await createTestApp({ fetchData }).request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
  const payload = await readPayload(response)
  expect(payload).toMatchObject({ header: { title: 'Test' }, components })
  expect(payload.components).toHaveLength(components.length)
})
