import { expect, test } from 'vitest'
import { secretHeader, sidecard } from 'sidecard'
import { createTestApp, FETCH_DATA, VERIFY } from '../../helpers/app.ts'

const EXPECTS = {
  verify: 'GET ?request_type=verify&code=<handshake_code>',
  fetch_data:
    'GET ?request_type=fetch_data&app_id=…&widget_id=…&issue_id=…&organization_id=…&account_id=…&requester_id=…&requester_email=…',
}
const SEND_ACCEPTED = 'Send one of the requests in `expects`.'

const app = createTestApp()
const protectedApp = createTestApp({ auth: secretHeader('x-secret', 'secret') })
const misconfigured = sidecard(
  {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: () => ({ issues: [{ message: 'canary' }] }),
    },
  },
  {
    header: { title: 'Test' },
    auth: secretHeader('x-secret', 'x'),
    logger: false,
    fetchData: () => [],
  },
)

test.each<[string, () => Response | Promise<Response>, object]>([
  [
    'a missing request type',
    () => app.request('/'),
    {
      status: 400,
      code: 'missing_request_type',
      title: 'Missing request type',
      detail: SEND_ACCEPTED,
    },
  ],
  [
    'an unknown request type',
    () => app.request('/?request_type=x'),
    {
      status: 400,
      code: 'unknown_request_type',
      title: 'Unknown request type',
      detail: SEND_ACCEPTED,
    },
  ],
  [
    'a duplicate request type',
    () => app.request(`${VERIFY}&request_type=verify`),
    {
      status: 400,
      code: 'duplicate_parameter',
      title: 'Duplicate parameter',
      detail: 'Send each parameter once.',
      parameters: ['request_type'],
    },
  ],
  [
    'duplicate IDs',
    () => app.request(`${FETCH_DATA}&account_id=b&issue_id=b&code=a&code=b`),
    {
      status: 400,
      code: 'duplicate_parameter',
      title: 'Duplicate parameter',
      detail: 'Send each parameter once.',
      parameters: ['account_id', 'issue_id'],
    },
  ],
  [
    'a missing code',
    () => app.request('/?request_type=verify'),
    {
      status: 400,
      code: 'missing_code',
      title: 'Missing code',
      detail: 'A handshake requires a code.',
    },
  ],
  [
    'a long code',
    () => app.request(`/?request_type=verify&code=${'x'.repeat(513)}`),
    {
      status: 400,
      code: 'code_too_long',
      title: 'Code too long',
      detail: 'Send at most 512 characters.',
    },
  ],
  [
    'a missing secret',
    () => protectedApp.request(FETCH_DATA),
    {
      status: 401,
      code: 'unauthorized',
      title: 'Unauthorized',
      detail: 'Send the custom header with every request.',
    },
  ],
  [
    'another path',
    () => app.request('/other'),
    {
      status: 404,
      code: 'not_found',
      title: 'Not found',
      detail: 'The app only serves its root path.',
    },
  ],
  [
    'another method',
    () => app.request(FETCH_DATA, { method: 'POST' }),
    { status: 405, code: 'method_not_allowed', title: 'Method not allowed', detail: 'Use GET.' },
  ],
  [
    'invalid bindings',
    () => misconfigured.request(FETCH_DATA),
    {
      status: 500,
      code: 'invalid_bindings',
      title: 'Invalid bindings',
      detail: 'The log lists the bindings.',
    },
  ],
])('the problem response to %s says exactly what to do', async (_name, request, problem) => {
  const response = await request()
  const expects = response.status === 400 ? { expects: EXPECTS } : {}
  expect(await response.json()).toEqual({ ...problem, ...expects })
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('allow')).toBe(response.status === 405 ? 'GET' : null)
})

test.each([
  ['a failure', () => Promise.reject(new Error('x')), 500, 'internal_error', 'Internal error'],
  ['a timeout', () => new Promise<never>(() => undefined), 504, 'timeout', 'Timeout'],
])(
  'with errors: status, %s is a problem response',
  async (_name, fetchData, status, code, title) => {
    const failing = createTestApp({ errors: 'status', timeoutMs: 20, fetchData })
    const response = await failing.request(FETCH_DATA)
    const traceId = response.headers.get('x-sidecard-trace')
    expect(traceId).toMatch(/^.{12}$/)
    expect(await response.json()).toEqual({
      status,
      code,
      title,
      detail: 'Search the logs for the trace ID.',
      traceId,
    })
    expect(response.status).toBe(status)
  },
)
