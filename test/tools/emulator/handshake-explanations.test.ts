import { findRule } from '../../../src/tools/cli/commands/explain-rule.ts'
import { describe, expect, test } from 'vitest'
import { noAuth, secretHeader, sidecard } from 'sidecard'
import { check } from 'sidecard/check'
import { createEmulator, type EmulatorOptions } from 'sidecard/emulator'
import { connect, type Responses } from './helpers.ts'

type Verify = NonNullable<Responses['verify']>

const SENT =
  'The service sent GET http://sidecard.test/ with request_type=verify, a code, and no custom headers.'

async function explain(verify: Verify, options?: EmulatorOptions) {
  const { app, emulator } = await connect({ verify }, options)
  const result = app.lastHandshake?.result
  if (result?.ok !== false) throw new Error('the handshake succeeded')
  const { exchangeId } = app.lastHandshake ?? {}
  const exchange = emulator.exchanges.get(exchangeId ?? '')
  expect(exchange).toMatchObject({
    message: result.message,
    fix: result.fix,
    explanation: result.explanation,
  })
  return { ...result, rule: exchange.findings[0]?.rule }
}

type Case = readonly [
  reason: string,
  verify: Verify,
  rule: string,
  received: string,
  message: string,
  /** Absent if the fix is the one of the rule. */
  fix: string | null,
]

/** Returns the finding of the checker for the same endpoint. */
async function findingOf(verify: Verify, rule: string | undefined) {
  const target = {
    async fetch(request: Request) {
      const { searchParams } = new URL(request.url)
      if (searchParams.get('request_type') !== 'verify') return Response.json({})
      return verify(searchParams.get('code') ?? '', request)
    },
  }
  const { results } = await check(target, { samples: 1 })
  return results.find((each) => each.rule === rule)?.findings[0]
}

const respond =
  (body: string | null, type?: string, status = 200): Verify =>
  () =>
    new Response(body === null ? null : new TextEncoder().encode(body), {
      status,
      headers: type === undefined ? {} : { 'content-type': type },
    })

describe('the explanation of a failed handshake', () => {
  const JSON_TYPE = ' with Content-Type application/json'
  const TEXT_TYPE = ' with Content-Type text/plain'
  const text = { headers: { 'content-type': 'text/plain' } }
  const SEND_HEADER =
    'Send the custom header that the endpoint requires, such as x-sidecard-secret.'
  const CHECK_PATH =
    'Check the path of the URL: the response is a page, such as a home page, a login or an error page of a proxy.'
  const LOGS = 'Look for an error in the endpoint’s log.'
  const redirectTo =
    (headers: HeadersInit): Verify =>
    () =>
      new Response(null, { status: 302, headers })
  const LOGIN =
    'Configure the final URL, probably "/login". If that is a login page, exempt the endpoint from the login, and protect it with a secret header.'

  const REDIRECTS = [{ location: 'http://[' }, { location: 'javascript:alert(1)' }, {}].map(
    (headers): Case => [
      'redirect',
      redirectTo(headers as HeadersInit),
      'response-redirect',
      'status 302',
      'returned 302 (redirect); the service only calls the configured URL',
      null,
    ],
  )

  const cases: readonly Case[] = [
    [
      'status',
      respond('', 'text/plain', 401),
      'handshake-status',
      `status 401${TEXT_TYPE}`,
      'returned 401: a required header is missing or wrong',
      SEND_HEADER,
    ],
    [
      'status',
      respond('', 'text/plain', 404),
      'handshake-status',
      `status 404${TEXT_TYPE}`,
      'returned 404, expected 200',
      null,
    ],
    [
      'status',
      respond('', 'text/plain', 201),
      'handshake-status',
      `status 201${TEXT_TYPE}`,
      'returned 201, expected 200',
      null,
    ],
    [
      'status',
      respond('', 'text/plain', 500),
      'handshake-status',
      `status 500${TEXT_TYPE}`,
      'returned 500, expected 200',
      LOGS,
    ],
    [
      'redirect',
      redirectTo({ location: '/login?next=canary' }),
      'response-redirect',
      'status 302',
      'returned 302 (redirect); the service only calls the configured URL',
      LOGIN,
    ],
    ...REDIRECTS,
    [
      'content_type',
      respond(' <html>', 'text/html'),
      'handshake-content-type',
      'status 200 with Content-Type text/html',
      'the Content-Type is "text/html"',
      CHECK_PATH,
    ],
    [
      'content_type',
      respond('x <y'),
      'handshake-content-type',
      'status 200',
      'the Content-Type is missing',
      null,
    ],
    [
      'byte_order_mark',
      respond('\uFEFFx', 'text/plain'),
      'handshake-utf8',
      `status 200${TEXT_TYPE}`,
      'the body starts with a byte order mark',
      null,
    ],
    [
      'not_utf8',
      () => new Response(new Uint8Array([0xff, 0x41]), text),
      'handshake-utf8',
      `status 200${TEXT_TYPE}`,
      'the body is not valid UTF-8',
      null,
    ],
    [
      'not_json',
      respond('{code:', 'application/json'),
      'handshake-json',
      `status 200${JSON_TYPE}`,
      'the body is not JSON (invalid symbol at line 1, column 2): "{code:"',
      null,
    ],
    [
      'not_an_object',
      respond('[]', 'application/json'),
      'handshake-json',
      `status 200${JSON_TYPE}`,
      'the body is an array, expected an object',
      null,
    ],
    [
      'code_missing',
      respond('{"ok":true}', 'application/json'),
      'handshake-json',
      `status 200${JSON_TYPE}`,
      'the object has no field code (fields: ok)',
      null,
    ],
    [
      'code_not_a_string',
      respond('{"code":1}', 'application/json'),
      'handshake-json',
      `status 200${JSON_TYPE}`,
      'the field code is a number, expected a string',
      null,
    ],
    [
      'code_differs',
      respond('{"code":"x"}', 'application/json'),
      'handshake-code',
      `status 200${JSON_TYPE}`,
      'the response contains "x" instead of the code that was sent',
      null,
    ],
    [
      'extra_fields',
      (code) => Response.json({ code, ok: true }),
      'handshake-fields',
      `status 200${JSON_TYPE}`,
      'the object has extra fields: ok',
      null,
    ],
    [
      'white_space',
      (code) => new Response(`${code}\n`, text),
      'handshake-text',
      `status 200${TEXT_TYPE}`,
      'the code is surrounded by whitespace or newlines',
      null,
    ],
    [
      'quotes',
      (code) => new Response(`"${code}"`, text),
      'handshake-text',
      `status 200${TEXT_TYPE}`,
      'the code is wrapped in quotation marks',
      null,
    ],
    [
      'json_as_text',
      (code) => new Response(JSON.stringify({ code }), text),
      'handshake-form',
      `status 200${TEXT_TYPE}`,
      'the body is JSON, but the Content-Type is text/plain',
      null,
    ],
    [
      'text_as_json',
      (code) => new Response(code, { headers: { 'content-type': 'application/json' } }),
      'handshake-form',
      `status 200${JSON_TYPE}`,
      'the body is the bare code, but the Content-Type is JSON',
      null,
    ],
    [
      'threw',
      () => Promise.reject(new Error('canary detail')),
      'response-http',
      'no complete response',
      'the app threw instead of returning a response (it threw Error)',
      null,
    ],
    [
      'too_large',
      respond('x'.repeat(1_100_000), 'text/plain'),
      'response-size',
      `status 200${TEXT_TYPE}`,
      'the body exceeds the limit (over 1048576 bytes)',
      null,
    ],
  ]

  test.each(cases)(
    '%s: the words of the checker',
    async (reason, verify, rule, received, message, fix) => {
      const explained = await explain(verify)
      expect(explained).toMatchObject({
        reason,
        rule,
        message,
        explanation: { saw: `${SENT} It received ${received}.`, why: expect.any(String) },
      })
      const found = await findingOf(verify, rule)
      expect(found?.fix).toBe(explained.fix)
      expect(found?.message).toContain(message)
      expect(explained.fix).toBe(fix ?? findRule(rule).fix)
    },
  )

  test('an injected fault: how to remove it', async () => {
    const { emulator, app } = await connect()
    emulator.faults.set([{ side: 'apps', operation: 'verify', effect: { type: 'reset' } }])
    const { lastHandshake } = await emulator.apps.connect(app.id)
    expect(lastHandshake?.result).toMatchObject({
      message: 'Fault injected by the emulator: close the connection.',
      fix: 'Remove the fault with emulator.faults.clear(), and try again.',
      explanation: { saw: SENT, why: 'The endpoint is not the cause.' },
    })
  })

  test('a wrong secret: names the headers but not their values', async () => {
    const app = sidecard({
      header: { title: 'Billing' },
      auth: secretHeader('x-key', 'right-secret-value'),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      fetchData: () => [],
    })
    const emulator = createEmulator()
    const { lastHandshake } = await emulator.apps.create({
      name: 'Billing',
      headers: { 'x-key': 'wrong-secret-value', 'x-other': 'other-secret-value' },
      target: { fetch: (request) => app.fetch(request, {}) },
    })
    expect(lastHandshake?.result).toMatchObject({
      reason: 'status',
      message: 'returned 401: a required header is missing or wrong',
      fix: 'The endpoint rejected the value of "x-key", "x-other". Compare it with the complete secret in the endpoint’s configuration.',
      explanation: {
        saw: 'The service sent GET http://sidecard.test/ with request_type=verify, a code, and the custom headers x-key, x-other. It received status 401 with Content-Type application/problem+json.',
      },
    })
    expect(JSON.stringify(lastHandshake)).not.toMatch(/secret-value/)
  })

  test('a secret that the endpoint repeats is not in the explanation', async () => {
    const emulator = createEmulator()
    const { lastHandshake } = await emulator.apps.create({
      name: 'x',
      headers: { 'x-key': 'echoed-secret-value' },
      target: {
        fetch: ({ headers }) =>
          new Response('x', {
            status: 302,
            headers: {
              'content-type': `text/${headers.get('x-key')}`,
              location: `/${headers.get('x-key')}`,
            },
          }),
      },
    })
    expect(lastHandshake?.result).toMatchObject({ reason: 'redirect' })
    expect(JSON.stringify(lastHandshake)).not.toMatch(/echoed/)
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
