import { expect, test } from 'vitest'
import { FETCH_DATA, makeApp, payloadOf, VERIFY } from '../helpers/app.ts'

const app = makeApp()

function expectSafeHeaders(response: Response) {
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(response.headers.get('content-type')).toMatch(
    /^(application\/(problem\+)?json|text\/plain)$/,
  )
}

test('answers a data fetch with the payload of schema 1.0.0', async () => {
  const response = await app.request(FETCH_DATA)
  expectSafeHeaders(response)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await payloadOf(response)).toEqual({
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
    'duplicated_parameter',
  ],
  [
    'the same request type twice',
    '/?request_type=verify&request_type=verify&code=x',
    'duplicated_parameter',
  ],
  ['no code', '/?request_type=verify', 'missing_code'],
  ['an empty code', '/?request_type=verify&code=', 'missing_code'],
  ['two codes', '/?request_type=verify&code=a&code=b', 'duplicated_parameter'],
  ['a code of 513 characters', `/?request_type=verify&code=${'x'.repeat(513)}`, 'code_too_long'],
  ['an id given twice', `${FETCH_DATA}&account_id=account-2`, 'duplicated_parameter'],
  ['an encoded duplicate', `${FETCH_DATA}&account%5Fid=account-2`, 'duplicated_parameter'],
])('refuses %s with a problem that says which', async (_name, path, code) => {
  const response = await app.request(path)
  expect(response.status).toBe(400)
  expectSafeHeaders(response)
  const problem: any = await response.json()
  expect(problem).toMatchObject({ status: 400, code })
  expect(problem.expects.verify).toContain('request_type=verify')
})

test('names a duplicated parameter and not its values', async () => {
  const response = await app.request(`${FETCH_DATA}&account_id=canary-2`)
  const body = await response.text()
  expect(JSON.parse(body).parameters).toEqual(['account_id'])
  expect(body).not.toContain('canary')
  expect(body).not.toContain('account-1')
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])(
  'refuses %s and says that GET is allowed',
  async (method) => {
    const response = await app.request(FETCH_DATA, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET')
    expectSafeHeaders(response)
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
  },
)

test('refuses HEAD without a body and without running the callback', async () => {
  let calls = 0
  const counting = makeApp({ fetchData: () => ((calls += 1), []) })
  const response = await counting.request(FETCH_DATA, { method: 'HEAD' })
  expect(response.status).toBe(405)
  expect(await response.text()).toBe('')
  expect(calls).toBe(0)
})

test.each(['/other', '/favicon.ico', '//', '/index.html?request_type=verify&code=x'])(
  'answers %s with a JSON 404',
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

test('gives the seven ids as they were sent, absent and empty both undefined', async () => {
  let params: unknown
  const spying = makeApp({ fetchData: (ctx) => ((params = { ...ctx.params }), []) })
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
