import { expect, it } from 'vitest'
import { createTestService } from 'sidecard/testing'
import { createEndpointClient } from '../../../src/tools/service/endpoint-client.ts'

const PAYLOAD = { version: '1.0.0', header: { title: 'a' }, components: [] }
const OBJECT =
  'Return one JSON object with version, header and components, serialized with a JSON library.'
const STATUS =
  'Return 200 with a payload. Send the required secret in a custom header, and use IDs that the endpoint knows.'
const bytes = (text: string) => new TextEncoder().encode(text)

async function fetchData(body: BodyInit | null, type: string | null, status = 200) {
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
  const target = { fetch: () => new Response(body, { status, headers }) }
  return createEndpointClient({ target }).fetchData({})
}

it.each([
  ['JSON', 'application/json'],
  ['JSON with a charset', 'Application/JSON; charset=utf-8'],
  ['text/json', 'text/json'],
  ['another kind of JSON', 'application/vnd.acme+json'],
  ['no type', null],
])('accepts a data fetch of %s', async (_name, type) => {
  const result = await fetchData(bytes(JSON.stringify(PAYLOAD)), type)
  expect(result).toMatchObject({ outcome: 'rendered', payload: PAYLOAD })
})

it.each<[string, BodyInit, string | null, number, string, string, string | RegExp]>([
  ['another status', '', null, 503, 'status', 'returned 503, expected 200', /log/],
  [
    '201',
    JSON.stringify(PAYLOAD),
    'application/json',
    201,
    'status',
    'returned 201, expected 200',
    STATUS,
  ],
  [
    'a status with a problem document',
    '{"detail":"This app only\\nserves its root path."}',
    'application/problem+json; charset=utf-8',
    404,
    'status',
    String.raw`returned 404, expected 200: "This app only\nserves its root path."`,
    STATUS,
  ],
  ...['{', 'null', '{"detail":{"a":1}}', '{"detail":""}'].map(
    (body): [string, string, string, number, string, string, string] => [
      `a status with the document ${body}`,
      body,
      'application/problem+json',
      404,
      'status',
      'returned 404, expected 200',
      STATUS,
    ],
  ),
  [
    'a redirect',
    '',
    null,
    307,
    'redirect',
    'returned 307 (redirect); the service only calls the configured URL',
    /final URL/,
  ],
  [
    'HTML',
    '<p>',
    'text/html',
    200,
    'content_type',
    'the Content-Type is "text/html", expected application/json',
    /Check the path of the URL/,
  ],
  [
    'a type that is none',
    '{}',
    'json',
    200,
    'content_type',
    'the Content-Type is "json", expected application/json',
    /Content-Type/,
  ],
  [
    'a type that ends like JSON',
    '{}',
    'x-application/json',
    200,
    'content_type',
    'the Content-Type is "x-application/json", expected application/json',
    /Content-Type/,
  ],
  ['nothing', '', 'application/json', 200, 'not_json', 'the body is empty', OBJECT],
  [
    'half of it',
    '{',
    'application/json',
    200,
    'not_json',
    'the body is not JSON (close brace expected at line 1, column 2): "{"',
    OBJECT,
  ],
  [
    'a list',
    '[]',
    'application/json',
    200,
    'not_an_object',
    'the body is an array, expected an object',
    OBJECT,
  ],
  [
    'a text',
    '"{}"',
    'application/json',
    200,
    'not_an_object',
    'the body is a string, expected an object',
    OBJECT,
  ],
  [
    'a byte order mark',
    bytes('\uFEFF{}'),
    'application/json',
    200,
    'byte_order_mark',
    'the body starts with a byte order mark',
    /byte order mark/,
  ],
  [
    'Latin-1',
    new Uint8Array([0x7b, 0xe9]),
    'application/json',
    200,
    'not_utf8',
    'the body is not valid UTF-8',
    /UTF-8/,
  ],
])('reports a data fetch of %s', async (_name, body, type, status, outcome, message, fix) => {
  const result = await fetchData(typeof body === 'string' ? bytes(body) : body, type, status)
  expect(result).toMatchObject({ outcome, message })
  expect(result.fix).toMatch(fix)
  expect(result.findings).toHaveLength(1)
  expect(result.findings[0]).toMatchObject({ message, fix: result.fix, level: 'MUST' })
})

it.each([
  [
    401,
    'returned 401: a required header is missing or wrong. Pass the secret in the option headers, and the variable that the app reads in env.',
  ],
  [
    403,
    'returned 403: a required header is missing or wrong. Pass the secret in the option headers, and the variable that the app reads in env.',
  ],
  [500, 'returned 500, expected 200. Look for an error in the endpoint’s log.'],
])('the test service explains a handshake with status %d', async (status, why) => {
  const service = createTestService({ fetch: () => new Response('no', { status }) })
  await expect(service.openIssue()).rejects.toThrow(
    expect.objectContaining({
      code: 'not_connected',
      message: `The handshake failed: ${why} Then call connect() to retry.`,
    }),
  )
})

it('the failures of sections have their title, their place and their error', async () => {
  const detail = [
    {
      kind: 'section_failed',
      section: 'Orders',
      component: 2,
      error: { name: 'Error', message: 'down' },
    },
    { kind: 'section_timeout', error: { name: 'TimeoutError', message: 'slow' } },
  ]
  const value = btoa(JSON.stringify(detail))
  const headers = {
    'x-sidecard-failure': 'section_failed;component=2, section_timeout',
    'x-sidecard-error': `:${value}:`,
    'x-sidecard-trace': 'abcdefghjkmn',
  }
  const target = { fetch: () => Response.json(PAYLOAD, { headers }) }
  const { text } = await createTestService({
    fetch: (request: Request) =>
      request.url.includes('verify')
        ? Response.json({ code: new URL(request.url).searchParams.get('code') })
        : target.fetch(),
  }).openIssue()
  expect(text.match(/\(failure: [^\n]*\n/g)).toHaveLength(2)
  expect(text).toMatch(/\)\n\(failure: [^\n]*\)\n$/)
  const { failures } = await createEndpointClient({ target }).fetchData({})
  expect(failures).toEqual([
    {
      kind: 'section_failed',
      section: 'Orders',
      component: 2,
      stale: false,
      traceId: 'abcdefghjkmn',
      error: expect.objectContaining({ name: 'Error', message: 'down' }),
    },
    {
      kind: 'section_timeout',
      stale: false,
      traceId: 'abcdefghjkmn',
      error: expect.objectContaining({ name: 'TimeoutError', message: 'slow' }),
    },
  ])
})
