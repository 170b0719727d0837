import { describe, expect, test } from 'vitest'
import { noAuth, secretHeader, sidecard } from 'sidecard'
import { createEmulator, type EmulatorOptions } from 'sidecard/emulator'
import { connect, type Responses } from './helpers.ts'

type Verify = NonNullable<Responses['verify']>

async function explain(verify: Verify, options?: EmulatorOptions) {
  const { app, emulator } = await connect({ verify }, options)
  const result = app.lastHandshake?.result
  if (result?.ok !== false) throw new Error('the handshake succeeded')
  const { exchangeId } = app.lastHandshake ?? {}
  expect(emulator.exchanges.get(exchangeId ?? '').explanation).toEqual(result.explanation)
  return { reason: result.reason, ...result.explanation }
}

const respond =
  (body: string | null, type?: string, status = 200): Verify =>
  () =>
    new Response(body === null ? null : new TextEncoder().encode(body), {
      status,
      headers: type === undefined ? {} : { 'content-type': type },
    })

describe('the explanation of a failed handshake', () => {
  const ANSWER = 'Return the code as {"code": "<the code>"} with Content-Type application/json.'
  const LOGS = 'Look at the output of the endpoint for an error at the time of the request.'
  const JSON_TYPE = ' with Content-Type application/json'
  const TEXT_TYPE = ' with Content-Type text/plain'
  const text = { headers: { 'content-type': 'text/plain' } }

  const cases: ReadonlyArray<
    readonly [
      reason: string,
      verify: Verify,
      title: string,
      received: string,
      changes: readonly string[],
    ]
  > = [
    [
      'status',
      respond('', 'text/plain', 401),
      'The endpoint rejected the request (401)',
      `status 401${TEXT_TYPE}. Returned 401: a required header is missing or wrong.`,
      [
        'Add the header that the endpoint requires to the app, with its secret.',
        'Check that the endpoint has its secret: without one, it rejects every request.',
      ],
    ],
    ...[404, 405].map(
      (status) =>
        [
          'status',
          respond('', 'text/plain', status),
          `The endpoint is not at this URL (${status})`,
          `status ${status}${TEXT_TYPE}. Returned ${status}, expected 200.`,
          [
            'Check the path of the URL, and whether the server requires or forbids a trailing slash.',
            'Check that the endpoint accepts GET requests.',
          ],
        ] as const,
    ),
    [
      'status',
      respond('request_type', 'text/plain', 500),
      'The endpoint returned an error (500)',
      `status 500${TEXT_TYPE}. Returned 500, expected 200.`,
      [LOGS],
    ],
    ...['request_type is missing', 'no code'].map(
      (body) =>
        [
          'status',
          respond(body, 'text/plain', 400),
          'The status is 400 instead of 200',
          `status 400${TEXT_TYPE}. Returned 400, expected 200.`,
          ['Read request_type and code from the query of the GET request.', ANSWER],
        ] as const,
    ),
    ...(
      [
        [400, 'x'],
        [201, 'no code'],
      ] as const
    ).map(
      ([status, body]) =>
        [
          'status',
          respond(body, 'text/plain', status),
          `The status is ${status} instead of 200`,
          `status ${status}${TEXT_TYPE}. Returned ${status}, expected 200.`,
          [ANSWER, 'Return status 200.'],
        ] as const,
    ),
    ...(
      [
        [{ location: '/login?next=canary' }, ', probably http://sidecard.test/login'],
        [{ location: 'http://[' }, ''],
        [{}, ''],
      ] as const
    ).map(
      ([headers, target]) =>
        [
          'redirect',
          () => new Response(null, { status: 302, headers }),
          'The endpoint redirects',
          'status 302. Returned 302 (redirect); the service only calls the configured URL.',
          [
            `Use the final URL${target}: the service does not follow redirects.`,
            'If the target is a login page, exempt the endpoint from the login and protect it with a secret header.',
          ],
        ] as const,
    ),
    ...(
      [
        [respond('x', 'text/html'), ' with Content-Type text/html', '"text/html"'],
        [respond(' <html>', 'text/xml'), ' with Content-Type text/xml', '"text/xml"'],
        [respond('<html>'), '', 'missing'],
      ] as const
    ).map(
      ([verify, type, is]) =>
        [
          'content_type',
          verify,
          'The response is an HTML page',
          `status 200${type}. The Content-Type is ${is}.`,
          [
            'Check the path of the URL: the page may be a home page, a login or an error page of a proxy.',
            ANSWER,
          ],
        ] as const,
    ),
    ...(
      [
        [
          respond('x', 'application/xml'),
          ' with Content-Type application/xml',
          '"application/xml"',
        ],
        [respond('x <y'), '', 'missing'],
      ] as const
    ).map(
      ([verify, type, is]) =>
        [
          'content_type',
          verify,
          'The Content-Type is wrong',
          `status 200${type}. The Content-Type is ${is}.`,
          [ANSWER, 'Or return the bare code with Content-Type text/plain.'],
        ] as const,
    ),
    [
      'byte_order_mark',
      respond('\uFEFFx', 'text/plain'),
      'The response starts with a byte order mark',
      `status 200${TEXT_TYPE}. The body starts with a byte order mark.`,
      ['Write the body as UTF-8 without a byte order mark.'],
    ],
    [
      'not_utf8',
      () => new Response(new Uint8Array([0xff, 0x41]), text),
      'The response is not UTF-8',
      `status 200${TEXT_TYPE}. The body is not valid UTF-8.`,
      ['Write the body as UTF-8.'],
    ],
    [
      'not_json',
      respond('{code:', 'application/json'),
      'The response is not JSON',
      `status 200${JSON_TYPE}. The body is not JSON: "{code:".`,
      [ANSWER, 'Write the response with a JSON library instead of joining strings.'],
    ],
    [
      'not_an_object',
      respond('[]', 'application/json'),
      'The JSON is not an object',
      `status 200${JSON_TYPE}. The body is an array, expected an object.`,
      [ANSWER],
    ],
    [
      'code_missing',
      respond('{"ok":true}', 'application/json'),
      'The JSON has no field code',
      `status 200${JSON_TYPE}. The object has no field code (fields: ok).`,
      [ANSWER, 'Check that requests with request_type=verify get the handshake, not the payload.'],
    ],
    [
      'code_not_a_string',
      respond('{"code":1}', 'application/json'),
      'The code is not a string',
      `status 200${JSON_TYPE}. The field code is a number, expected a string.`,
      ['Return the code as a string: a number loses leading zeros and precision.'],
    ],
    [
      'code_differs',
      respond('{"code":"x"}', 'application/json'),
      'The response contains another code',
      `status 200${JSON_TYPE}. The response contains "x" instead of the code that was sent.`,
      [
        'Return the query parameter code of this request, decoded once and otherwise unchanged.',
        'Do not cache the handshake, in the endpoint or in a proxy: every handshake has its own code.',
      ],
    ],
    [
      'extra_fields',
      (code) => Response.json({ code, ok: true }),
      'The JSON has more fields than code',
      `status 200${JSON_TYPE}. The object has extra fields: ok.`,
      ['Remove all other fields.'],
    ],
    [
      'white_space',
      (code) => new Response(`${code}\n`, text),
      'Whitespace surrounds the code',
      `status 200${TEXT_TYPE}. The code is surrounded by whitespace or newlines.`,
      ['Write the code without a trailing newline: print and echo append one.'],
    ],
    [
      'quotes',
      (code) => new Response(`"${code}"`, text),
      'Quotation marks surround the code',
      `status 200${TEXT_TYPE}. The code is wrapped in quotation marks.`,
      ['Write the bare code, without JSON encoding, or return {"code": "<the code>"}.'],
    ],
    [
      'json_as_text',
      (code) => new Response(JSON.stringify({ code }), text),
      'JSON was sent as text/plain',
      `status 200${TEXT_TYPE}. The body is JSON, but the Content-Type is text/plain.`,
      ['Set Content-Type to application/json.'],
    ],
    [
      'text_as_json',
      (code) => new Response(code, { headers: { 'content-type': 'application/json' } }),
      'The bare code was sent as application/json',
      `status 200${JSON_TYPE}. The body is the bare code, but the Content-Type is JSON.`,
      [
        'Return {"code": "<the code>"} instead of the bare code.',
        'Or set Content-Type to text/plain.',
      ],
    ],
    [
      'threw',
      () => Promise.reject(new Error('canary detail')),
      'The endpoint threw an error',
      'no complete response. The app threw instead of returning a response (it threw Error).',
      [LOGS],
    ],
    [
      'too_large',
      respond('x'.repeat(1_100_000), 'text/plain'),
      'The response is too large',
      `status 200${TEXT_TYPE}. The body exceeds the limit (over 1048576 bytes).`,
      [ANSWER, 'Check that the URL is that of the endpoint, and not of a download.'],
    ],
  ]

  test.each(cases)('%s', async (reason, verify, title, received, changes) => {
    expect(await explain(verify)).toEqual({
      reason,
      title,
      saw: `The service sent GET http://sidecard.test/ with request_type=verify, a code, and no custom headers. It received ${received}`,
      changes,
    })
  })

  test('timeout: contains the time limit', async () => {
    const silent = () => new Promise<never>(() => undefined)
    expect(await explain(silent, { timeoutMs: 20 })).toMatchObject({
      title: 'No complete response within 20 ms',
      changes: [
        'Return the code before any slow work: the handshake needs no data source.',
        'Check that the handler returns a response in every branch.',
      ],
    })
  })

  test('an injected fault: how to remove it', async () => {
    const { emulator, app } = await connect()
    emulator.faults.set([{ side: 'apps', operation: 'verify', effect: { type: 'reset' } }])
    const { lastHandshake } = await emulator.apps.connect(app.id)
    expect(lastHandshake?.result).toMatchObject({
      explanation: {
        title: 'The emulator injected a fault',
        saw: 'The service sent GET http://sidecard.test/ with request_type=verify, a code, and no custom headers. Fault injected by the emulator: close the connection. The endpoint is not the cause.',
        changes: ['Remove the fault on the Faults tab, and choose Retry Connection.'],
      },
    })
  })

  test('a wrong secret: names the header but not its value', async () => {
    const app = sidecard({
      header: { title: 'Billing' },
      auth: secretHeader('x-key', 'right-secret-value'),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      fetchData: () => [],
    })
    const emulator = createEmulator()
    const { lastHandshake } = await emulator.apps.create({
      name: 'Billing',
      headers: { 'x-key': 'wrong-secret-value' },
      target: { fetch: (request) => app.fetch(request, {}) },
    })
    expect(lastHandshake?.result).toMatchObject({
      reason: 'status',
      explanation: {
        title: 'The endpoint rejected the request (401)',
        saw: 'The service sent GET http://sidecard.test/ with request_type=verify, a code, and the custom header x-key. It received status 401 with Content-Type application/problem+json. Returned 401: a required header is missing or wrong.',
        changes: [
          'Check the name and the value of x-key: they must match what the endpoint expects.',
          'Check that the endpoint has its secret: without one, it rejects every request.',
        ],
      },
    })
    expect(JSON.stringify(lastHandshake)).not.toMatch(/secret-value/)
  })

  test('a conformant endpoint has no explanation', async () => {
    const app = sidecard({ header: { title: 'x' }, auth: noAuth(), fetchData: () => [] })
    const emulator = createEmulator()
    const target = { fetch: (request: Request) => app.fetch(request, {}) }
    const { lastHandshake } = await emulator.apps.create({ name: 'x', target })
    expect(lastHandshake?.result).toEqual({ ok: true, form: 'json' })
    const { explanation } = emulator.exchanges.get(lastHandshake?.exchangeId ?? '')
    expect(explanation).toBeNull()
  })
})

test('the explanation names every custom header', async () => {
  const emulator = createEmulator()
  const { lastHandshake } = await emulator.apps.create({
    name: 'x',
    headers: { 'x-key': 'a', 'x-tenant': 'b' },
    target: { fetch: () => new Response('', { status: 403 }) },
  })
  expect(lastHandshake?.result).toMatchObject({
    explanation: {
      title: 'The endpoint rejected the request (403)',
      saw: expect.stringContaining('a code, and the custom headers x-key, x-tenant. It received'),
      changes: [
        'Check the name and the value of x-key, x-tenant: they must match what the endpoint expects.',
        expect.any(String),
      ],
    },
  })
})
