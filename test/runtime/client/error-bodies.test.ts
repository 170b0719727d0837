import { describe, expect, test } from 'vitest'
import { ApiError } from 'sidecard/client'
import { catchError, json, createScriptedClient } from '../../helpers/scripted-api.ts'

/** Bodies of failed responses: the contract does not specify them (A12). */
const BODIES: [string, BodyInit | null, readonly { message?: string; code?: string }[]][] = [
  ['no body', null, []],
  ['an empty body', '', []],
  ['whitespace', ' \n\t', []],
  ['plain text', 'Too bad', []],
  ['HTML of a proxy', '<!doctype html><title>502</title>', []],
  ['XML', '<?xml version="1.0"?><error code="7"/>', []],
  ['JSON that breaks off', '{"errors":[{"message":"a', []],
  ['JSON with something after it', '{"message":"a"} trailing', []],
  ['two JSON values', '{"message":"a"}\n{"message":"b"}', []],
  ['JSON behind a byte order mark', '\uFEFF{"message":"a"}', [{ message: 'a' }]],
  ['JSON with a null byte', '{"message":"a\\u0000b"}', [{ message: 'a\0b' }]],
  ['what is not UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), []],
  ['UTF-8 that is wrong inside a text', Uint8Array.of(0x22, 0xc3, 0x22), []],
  ['true', 'true', []],
  ['a deep nesting', '['.repeat(30_000) + ']'.repeat(30_000), []],
  ['a problem document', '{"type":"about:blank","title":"No","detail":"x","status":422}', []],
  ['fields with their errors', '{"errors":{"title":["is empty"]}}', []],
  [
    'errors with more than the two fields',
    '{"errors":[{"code":"a","field":"b"}]}',
    [{ code: 'a' }],
  ],
  ['a list in a list', '{"errors":[["a"],{"errors":["b"]}]}', []],
  ['a message of another kind', '{"message":{"en":"No"},"code":true}', []],
  ['a number as code', '{"code":1001}', [{ code: '1001' }]],
  ['keys twice', '{"message":"a","message":"b"}', [{ message: 'b' }]],
  ['keys of the prototype', '{"__proto__":{"message":"a"},"constructor":{"message":"b"}}', []],
  ['an error of null', '{"error":null,"errors":null,"message":null}', []],
  ['the envelope of a success', '{"data":[{"id":"1"}],"request_id":"req_1"}', []],
  [
    'a thousand errors',
    JSON.stringify({ errors: Array.from({ length: 1_000 }, () => 'a') }),
    Array.from({ length: 20 }, () => ({ message: 'a' })),
  ],
  [
    'controls and other directions',
    '{"message":"\\u001b[31m\\u202e"}',
    [{ message: '\u001b[31m\u202e' }],
  ],
]

describe('a failed call', () => {
  test.each(BODIES)(
    'with %s throws a typed error, for reads and writes',
    async (_name, body, errors) => {
      const { client } = createScriptedClient([() => new Response(body, { status: 422 })])
      const calls = [
        client.users.list(),
        client.tasks.create({ title: 'x' }),
        client.messages.redact({ issue_id: 'i', message_id: 'm' }),
        client.request('DELETE', '/x'),
      ]
      for (const error of await Promise.all(calls.map(catchError))) {
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({ code: 'api_error', status: 422, attempts: 1, errors })
        expect(error.message).toMatch(/^[A-Z]+ [^\n]+: the API returned 422\.$/)
        expect(typeof error.body).toBe('string')
      }
    },
  )

  test('keeps the raw body on the error, but out of logs', async () => {
    const error = await catchError(
      createScriptedClient([json({ message: 'a', x: 1 }, 400)]).client.users.list(),
    )
    expect(error.body).toBe('{"message":"a","x":1}')
    expect(Object.keys(error)).not.toContain('body')
  })
})

describe('an access token that the API echoes', () => {
  const token = 'ab+c/d"e\\f=='
  const spellings = [
    ['unchanged', token],
    ['percent-encoded', encodeURIComponent(token)],
    ['percent-encoded in small letters', encodeURIComponent(token).toLowerCase()],
    ['as JSON', JSON.stringify(token).slice(1, -1)],
    ['as PHP writes JSON', JSON.stringify(token).slice(1, -1).replaceAll('/', '\\/')],
    ['as .NET writes JSON', 'ab\\u002Bc/d\\u0022e\\\\f=='],
    ['as escapes alone', Array.from(token, (c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')],
  ] as const

  test.each(spellings)('is hidden %s', async (_name, spelling) => {
    const text = `{"errors":["no ${spelling}!"],"message":"${spelling}","code":"${spelling}","request_id":"r ${spelling}"}`
    const { client } = createScriptedClient([() => new Response(text, { status: 401 })], {
      accessToken: token,
    })
    const error = await catchError(client.users.list())
    expect(error.body).not.toContain(spelling)
    expect(JSON.stringify([error.errors, error.requestId, error.message])).not.toContain('ab')
  })

  test('is hidden in the request ID of an invalid 2xx response', async () => {
    const headers = { 'x-request-id': token }
    for (const answer of [new Response('<h1>', { headers }), json({ request_id: token })]) {
      // oxlint-disable-next-line no-await-in-loop -- each response is its own case
      const error = await catchError(
        createScriptedClient([answer], { accessToken: token }).client.users.list(),
      )
      expect(error).toMatchObject({ code: 'invalid_response', requestId: '[hidden]' })
    }
  })

  test('is hidden if it belongs to an earlier attempt', async () => {
    const tokens = ['first-token', 'second-token']
    const steps = [json({}, 503), json({ message: 'not first-token, not second-token' }, 400)]
    const { client } = createScriptedClient(steps, { accessToken: () => tokens.shift() ?? '' })
    const error = await catchError(client.users.list())
    expect(error.errors).toEqual([{ message: 'not [hidden], not [hidden]' }])
  })
})
